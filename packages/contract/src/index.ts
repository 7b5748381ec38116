export {
  AccessToken,
  ChangePassword,
  DeleteTenant,
  ForgotPassword,
  LinkDelivery,
  LoggedIn,
  Login,
  OpenSession,
  Profile,
  Refresh,
  Register,
  ResetPassword,
  VerifyEmail,
} from './accounts.ts';
export { ApiKey, CreateApiKey, CreatedApiKey } from './api-keys.ts';
export { messageErrors, type ProblemCode, type ProblemKind, problems } from './problems.ts';
export {
  ChangeChannelAccount,
  ChannelAccount,
  CreateChannelAccount,
  Provider,
  Verification,
} from './channel-accounts.ts';
export { ChangeConsent, Consent, Consents, ConsentsQuery } from './consents.ts';
export {
  Conversation,
  ConversationMessages,
  ConversationMessagesQuery,
  Conversations,
  ConversationsQuery,
  ReadConversation,
} from './conversations.ts';
export { Events, EventsQuery, EventsSecret, EventStreamQuery, ListedEvent } from './event-list.ts';
export {
  ContactEventBody,
  EventBody,
  MessageEvent,
  ReceivedEventBody,
  TestEventBody,
  WebhookEvent,
} from './events.ts';
export { CreatePairing, Pairing, SimulateInbound } from './inbound.ts';
export { AccountLink, LinkAccount } from './links.ts';
export {
  MessageHistory,
  Messages,
  MessagesQuery,
  ResendMessage,
  ResentMessage,
  SendMessage,
  type TimelineEntry,
} from './message-log.ts';
export {
  type BulkItem,
  ContactProfile,
  InboundBody,
  Message,
  MessageDetails,
  SendBulk,
  SendMedia,
  SendTemplate,
  SendText,
} from './messages.ts';
export { ChannelTemplates, TemplatesQuery, TemplateSync } from './templates.ts';
export { Usage, UsageQuery } from './usage.ts';
export {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  Deliveries,
  DeliveriesQuery,
  Delivery,
  DeliveryDetails,
  Replay,
  ReplayWebhook,
  RequestedDelivery,
  RotatedSecret,
  Webhook,
} from './webhooks.ts';
