export {
  AccessToken,
  ChangePassword,
  ChangedProfile,
  ChangeProfile,
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
export { Alert, AlertGroup, AlertsQuery } from './alerts.ts';
export { ApiKey, CreateApiKey, CreatedApiKey, RotateApiKey } from './api-keys.ts';
export { defaultKeyScopes, type KeyScope, keyScopes, type TokenScope, tokenScopes } from './scopes.ts';
export { CreatedServiceToken, CreateServiceToken, ServiceToken } from './service-tokens.ts';
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
  MarkedConversation,
  ReadConversation,
  Told,
} from './conversations.ts';
export { Events, EventsQuery, EventsSecret, EventStreamQuery, ListedEvent } from './event-list.ts';
export {
  ContactEventBody,
  EventBody,
  GroupEventBody,
  MessageEvent,
  ReceivedEventBody,
  TestEventBody,
  VerificationEventBody,
  WebhookEvent,
  WebhookEventBody,
} from './events.ts';
export { UploadedFile } from './files.ts';
export {
  AcceptedGroup,
  Group,
  GroupRoute,
  Groups,
  GroupsQuery,
  ListedGroup,
  Route,
  SendGroup,
} from './groups.ts';
export { InteractiveButton, InteractiveContent, InteractiveList, InteractiveRow } from './interactive.ts';
export { CreatePairing, Pairing, SimulateInbound } from './pairings.ts';
export { AccountLink, LinkAccount } from './links.ts';
export {
  AttemptEntry,
  CanceledMessages,
  CancelMessages,
  DeliveryEntry,
  EventEntry,
  MessageHistory,
  MessageRecords,
  Messages,
  MessagesQuery,
  ReceiptEntry,
  ResendMessage,
  ResentMessage,
  SendMessage,
  TimelineEntry,
} from './message-log.ts';
export {
  BulkItem,
  ChangeMessage,
  ContactProfile,
  InboundBody,
  MediaContent,
  MediaType,
  Message,
  MessageBody,
  MessageDetails,
  MessageRecord,
  SendBulk,
  SendInteractive,
  SendMedia,
  SendTemplate,
  SendText,
} from './messages.ts';
export {
  ChannelTemplate,
  ChannelTemplates,
  TemplateButton,
  TemplateContent,
  TemplateHeader,
  TemplateParameters,
  TemplatesQuery,
  TemplateSync,
} from './templates.ts';
export { Usage, UsageQuery } from './usage.ts';
export { Verifications, VerificationsQuery } from './verification-list.ts';
export {
  ChangeVerificationLimits,
  CheckedVerification,
  CheckVerification,
  CodeVerification,
  StartedVerification,
  StartVerification,
  VerificationLimits,
  VerificationUsage,
  VerificationUsageQuery,
} from './verifications.ts';
export {
  ChangeWebhook,
  CreatedWebhook,
  CreateWebhook,
  Deliveries,
  DeliveriesQuery,
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryMode,
  DeliveryState,
  Replay,
  ReplayWebhook,
  RequestedDelivery,
  RotatedSecret,
  Webhook,
  WebhookState,
} from './webhooks.ts';
export { withoutControls } from './fields.ts';
