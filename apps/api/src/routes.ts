import { changeChannelAccount } from './channel-accounts/change-channel-account.ts';
import { createChannelAccount } from './channel-accounts/create-channel-account.ts';
import { deleteChannelAccount } from './channel-accounts/delete-channel-account.ts';
import { getChannelAccount } from './channel-accounts/get-channel-account.ts';
import { listChannelAccounts } from './channel-accounts/list-channel-accounts.ts';
import { listProviders } from './channel-accounts/list-providers.ts';
import { verifyChannelAccount } from './channel-accounts/verify-channel-account.ts';
import type { Route } from './http/route.ts';
import { getMessage } from './notify/get-message.ts';
import { sendBulk } from './notify/send-bulk.ts';
import { sendMedia } from './notify/send-media.ts';
import { sendText } from './notify/send-text.ts';
import { createWebhook } from './webhooks/create-webhook.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { disableWebhook } from './webhooks/disable-webhook.ts';
import { enableWebhook } from './webhooks/enable-webhook.ts';
import { getWebhook } from './webhooks/get-webhook.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';

/** Every endpoint, in the order the documentation shows them. */
export const routes: readonly Route[] = [
  sendText,
  sendMedia,
  sendBulk,
  getMessage,
  listWebhooks,
  createWebhook,
  getWebhook,
  deleteWebhook,
  enableWebhook,
  disableWebhook,
  listProviders,
  createChannelAccount,
  listChannelAccounts,
  getChannelAccount,
  changeChannelAccount,
  verifyChannelAccount,
  deleteChannelAccount,
];
