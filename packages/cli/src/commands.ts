import type { Command } from './command.ts';
import { createAccount } from './accounts/create.ts';
import { deleteAccount } from './accounts/delete.ts';
import { linkAccount } from './accounts/link.ts';
import { listAccounts } from './accounts/list.ts';
import { listProviders } from './accounts/providers.ts';
import { showAccount } from './accounts/show.ts';
import { unlinkAccount } from './accounts/unlink.ts';
import { updateAccount } from './accounts/update.ts';
import { verifyAccount } from './accounts/verify.ts';
import { completion } from './completion/completion.ts';
import { listConsent } from './consent/list.ts';
import { setConsent } from './consent/set.ts';
import { showConsent } from './consent/show.ts';
import { listConversations } from './conversations/list.ts';
import { readConversation } from './conversations/read.ts';
import { showConversation } from './conversations/show.ts';
import { showTyping } from './conversations/typing.ts';
import { deleteFile } from './files/delete-file.ts';
import { showFile } from './files/show-file.ts';
import { uploadFile } from './files/upload-file.ts';
import { listGroups } from './groups/list.ts';
import { showGroupCommand } from './groups/show.ts';
import { listEvents } from './events/list.ts';
import { createKey } from './keys/create.ts';
import { listKeys } from './keys/list.ts';
import { revokeKey } from './keys/revoke.ts';
import { rotateKey } from './keys/rotate.ts';
import { listen } from './listen/listen.ts';
import { login } from './login/login.ts';
import { logout } from './login/logout.ts';
import { whoami } from './login/whoami.ts';
import { cancelMessage } from './messages/cancel.ts';
import { cancelMessages } from './messages/cancel-many.ts';
import { listMessages } from './messages/list.ts';
import { rescheduleMessage } from './messages/reschedule.ts';
import { resendMessage } from './messages/resend.ts';
import { showMessageCommand } from './messages/show.ts';
import { tailMessages } from './messages/tail.ts';
import { send } from './send/send.ts';
import { listTemplates } from './templates/list.ts';
import { syncTemplates } from './templates/sync.ts';
import { trigger } from './trigger/trigger.ts';
import { usage } from './usage/usage.ts';
import { checkCode } from './verify/check.ts';
import { verifyLimits } from './verify/limits.ts';
import { listVerifications } from './verify/list.ts';
import { showVerification } from './verify/show.ts';
import { startVerification } from './verify/start.ts';
import { verificationUsage } from './verify/usage.ts';
import { createWebhook } from './webhooks/create.ts';
import { deleteWebhook } from './webhooks/delete.ts';
import { listDeliveries } from './webhooks/deliveries.ts';
import { disableWebhook } from './webhooks/disable.ts';
import { enableWebhook } from './webhooks/enable.ts';
import { listWebhooks } from './webhooks/list.ts';
import { replayWebhook } from './webhooks/replay.ts';
import { retryDelivery } from './webhooks/retry.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { testWebhook } from './webhooks/send-test.ts';
import { showWebhook } from './webhooks/show.ts';
import { updateWebhook } from './webhooks/update.ts';

/** Every command, in the order of help. */
export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  send,
  startVerification,
  checkCode,
  listVerifications,
  showVerification,
  verificationUsage,
  verifyLimits,
  listMessages,
  showMessageCommand,
  cancelMessage,
  cancelMessages,
  rescheduleMessage,
  resendMessage,
  tailMessages,
  uploadFile,
  showFile,
  deleteFile,
  listGroups,
  showGroupCommand,
  listen,
  trigger,
  listEvents,
  listWebhooks,
  showWebhook,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  enableWebhook,
  disableWebhook,
  testWebhook,
  listDeliveries,
  retryDelivery,
  replayWebhook,
  rotateSecret,
  listAccounts,
  showAccount,
  listProviders,
  createAccount,
  updateAccount,
  verifyAccount,
  linkAccount,
  unlinkAccount,
  deleteAccount,
  listTemplates,
  syncTemplates,
  listConversations,
  showConversation,
  readConversation,
  showTyping,
  listConsent,
  showConsent,
  setConsent,
  listKeys,
  createKey,
  rotateKey,
  revokeKey,
  usage,
  completion,
];

/** What help says about the commands that share a first word. */
export const groups: Readonly<Record<string, string>> = {
  verify: 'Send, check and look up one-time codes.',
  messages: 'List, follow and change messages.',
  files: 'Upload files to send them.',
  groups: 'List and follow messages that have several routes.',
  events: 'List what happened.',
  webhooks: 'Manage webhooks and their deliveries.',
  accounts: 'Manage the channel accounts that messages are sent from.',
  templates: 'List message templates.',
  conversations: 'Read conversations.',
  consent: 'Manage who opted out.',
  keys: 'Manage API keys.',
};
