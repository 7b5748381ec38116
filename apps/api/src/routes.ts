import { sendAlerts } from './alerts/send-alerts.ts';
import { changePassword } from './auth/change-password.ts';
import { changeProfile } from './auth/change-profile.ts';
import { deleteTenant } from './auth/delete-tenant.ts';
import { endSession } from './auth/end-session.ts';
import { forgotPassword } from './auth/forgot-password.ts';
import { getProfile } from './auth/get-profile.ts';
import { listSessions } from './auth/list-sessions.ts';
import { login } from './auth/login.ts';
import { logout } from './auth/logout.ts';
import { refresh } from './auth/refresh.ts';
import { register } from './auth/register.ts';
import { requestVerification } from './auth/request-verification.ts';
import { resetPassword } from './auth/reset-password.ts';
import { verifyEmail } from './auth/verify-email.ts';
import { changeChannelAccount } from './channel-accounts/change-channel-account.ts';
import { createPairing } from './channel-accounts/create-pairing.ts';
import { createChannelAccount } from './channel-accounts/create-channel-account.ts';
import { deleteChannelAccount } from './channel-accounts/delete-channel-account.ts';
import { getChannelAccount } from './channel-accounts/get-channel-account.ts';
import { listChannelAccounts } from './channel-accounts/list-channel-accounts.ts';
import { listProviders } from './channel-accounts/list-providers.ts';
import { simulateInbound } from './callbacks/simulate-inbound.ts';
import { verifyChannelAccount } from './channel-accounts/verify-channel-account.ts';
import { changeConsent } from './consents/change-consent.ts';
import { getConsent } from './consents/get-consent.ts';
import { listConsents } from './consents/list-consents.ts';
import { removeConsent } from './consents/remove-consent.ts';
import { getConversation } from './conversations/get-conversation.ts';
import {
  listConversationMessages,
  listConversationMessagesByKey,
} from './conversations/list-conversation-messages.ts';
import { listConversations, listConversationsByKey } from './conversations/list-conversations.ts';
import { markConversationRead, markConversationReadByKey } from './conversations/mark-conversation-read.ts';
import { showTyping, showTypingByKey } from './conversations/show-typing.ts';
import { getEventsSecret } from './events/get-events-secret.ts';
import { listEvents } from './events/list-events.ts';
import { streamEvents } from './events/stream-events.ts';
import { deleteFile, deleteFileByKey } from './files/delete-file.ts';
import { getFile, getFileByKey } from './files/get-file.ts';
import { uploadFile, uploadFileByKey } from './files/upload-file.ts';
import { getGroup, getTenantGroup } from './groups/get-group.ts';
import { listGroups } from './groups/list-groups.ts';
import { sendGroup, sendTenantGroup } from './groups/send-group.ts';
import type { Route } from './http/route.ts';
import { createKey } from './keys/create-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { revokeKey } from './keys/revoke-key.ts';
import { rotateKey } from './keys/rotate-key.ts';
import { getLink } from './links/get-link.ts';
import { linkAccount } from './links/link-account.ts';
import { unlinkAccount } from './links/unlink-account.ts';
import { watchLink } from './links/watch-link.ts';
import { getMedia, getMediaByKey } from './media/get-media.ts';
import { cancelMessage, cancelMessageByKey } from './messages/cancel-message.ts';
import { cancelMessages, cancelMessagesByKey } from './messages/cancel-messages.ts';
import { changeMessage } from './messages/change-message.ts';
import { listMessages } from './messages/list-messages.ts';
import { resendMessage } from './messages/resend-message.ts';
import { sendMessage } from './messages/send-message.ts';
import { showMessage } from './messages/show-message.ts';
import { getMessage } from './notify/get-message.ts';
import { listMessagesByKey } from './notify/list-messages.ts';
import { sendBulk } from './notify/send-bulk.ts';
import { sendMedia } from './notify/send-media.ts';
import { sendInteractive } from './notify/send-interactive.ts';
import { sendTemplate } from './notify/send-template.ts';
import { sendText } from './notify/send-text.ts';
import { listTemplates } from './templates/list-templates.ts';
import { syncTemplates } from './templates/sync-templates.ts';
import { createToken } from './service-tokens/create-token.ts';
import { listTokens } from './service-tokens/list-tokens.ts';
import { revokeToken } from './service-tokens/revoke-token.ts';
import { getUsage } from './usage/get-usage.ts';
import { changeVerificationLimits } from './verifications/change-limits.ts';
import { checkVerification } from './verifications/check-verification.ts';
import { getVerificationLimits } from './verifications/get-limits.ts';
import { getVerificationUsage } from './verifications/get-usage.ts';
import { getTenantVerification, getVerification } from './verifications/get-verification.ts';
import { listVerifications } from './verifications/list-verifications.ts';
import { startVerification } from './verifications/start-verification.ts';
import { changeWebhook } from './webhooks/change-webhook.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { disableWebhook } from './webhooks/disable-webhook.ts';
import { enableWebhook } from './webhooks/enable-webhook.ts';
import { getDelivery } from './webhooks/get-delivery.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listDeliveries } from './webhooks/list-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { replayWebhook } from './webhooks/replay-webhook.ts';
import { retryDelivery } from './webhooks/retry-delivery.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

/** Every endpoint, in the order the documentation shows them. */
export const routes = [
  register,
  login,
  refresh,
  logout,
  getProfile,
  changeProfile,
  changePassword,
  forgotPassword,
  resetPassword,
  requestVerification,
  verifyEmail,
  listSessions,
  endSession,
  deleteTenant,
  createKey,
  listKeys,
  rotateKey,
  revokeKey,
  createToken,
  listTokens,
  revokeToken,
  sendText,
  sendMedia,
  sendInteractive,
  sendTemplate,
  sendBulk,
  sendAlerts,
  sendGroup,
  getGroup,
  getMessage,
  getMediaByKey,
  listMessagesByKey,
  cancelMessageByKey,
  cancelMessagesByKey,
  uploadFileByKey,
  getFileByKey,
  deleteFileByKey,
  uploadFile,
  getFile,
  deleteFile,
  startVerification,
  getVerification,
  checkVerification,
  listVerifications,
  getTenantVerification,
  listMessages,
  showMessage,
  getMedia,
  sendMessage,
  cancelMessage,
  cancelMessages,
  changeMessage,
  resendMessage,
  sendTenantGroup,
  listGroups,
  getTenantGroup,
  listConsents,
  getConsent,
  changeConsent,
  removeConsent,
  listConversations,
  getConversation,
  listConversationMessages,
  markConversationRead,
  showTyping,
  listConversationsByKey,
  listConversationMessagesByKey,
  markConversationReadByKey,
  showTypingByKey,
  getUsage,
  getVerificationUsage,
  getVerificationLimits,
  changeVerificationLimits,
  listWebhooks,
  createWebhook,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  enableWebhook,
  disableWebhook,
  rotateSecret,
  testWebhook,
  listDeliveries,
  getDelivery,
  retryDelivery,
  replayWebhook,
  listEvents,
  streamEvents,
  getEventsSecret,
  listProviders,
  createChannelAccount,
  listChannelAccounts,
  getChannelAccount,
  changeChannelAccount,
  verifyChannelAccount,
  listTemplates,
  syncTemplates,
  deleteChannelAccount,
  linkAccount,
  getLink,
  watchLink,
  unlinkAccount,
  createPairing,
  simulateInbound,
] as const satisfies readonly Route[];

/** What the handlers of all routes need together, from what each of them names. */
export type Needs = Together<NeedsOf<(typeof routes)[number]>>;

type NeedsOf<R> = R extends { handle(input: never, needs: infer N): unknown } ? (needs: N) => void : never;
/** The intersection of a union. */
type Together<F> = [F] extends [(needs: infer All) => void] ? All : never;
