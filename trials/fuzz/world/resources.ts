import { keyScopes, tokenScopes } from '@notify/contract';
import type { Client } from '../client.ts';
import { goodSettings } from './providers.ts';
import type { Target } from '../target.ts';
import { callJson, sessionOf, type Tenant } from './tenant.ts';

/** One thing of each kind, all of one tenant. */
export interface Resources {
  /** Ids by kind. */
  readonly names: Readonly<Record<string, string>>;
  readonly key: string;
  readonly secrets: readonly string[];
}

/** Makes one of each kind, with `text` in whatever has a name. */
export async function resourcesOf(
  client: Client,
  tenant: Tenant,
  target: Target,
  text: string,
): Promise<Resources> {
  const key = (await tenant.call('POST', '/tenant/api-keys', {
    name: `key ${text}`,
    scopes: keyScopes,
  })) as { id: string; key: string };
  const tokens = '/tenant/service-tokens';
  const token = (await tenant.call('POST', tokens, {
    name: `token ${text}`,
    scopes: tokenScopes,
  })) as { id: string; token: string };
  const revoked = (await tenant.call('POST', tokens, {
    name: 'revoked',
    scopes: tokenScopes,
  })) as typeof token;
  await tenant.call('DELETE', `${tokens}/${revoked.id}`);
  const url = `${target.outside}/${text}`;
  const webhook = (await tenant.call('POST', '/v1/webhooks', { url, events: ['message.failed'] })) as {
    id: string;
    secret: string;
  };
  const test = (await tenant.call('POST', `/v1/webhooks/${webhook.id}/test`)) as { deliveryId: string };
  const sandboxes = (await tenant.call('GET', '/v1/channel-accounts')) as { id: string; channel: string }[];
  const [settings] = goodSettings('http-sms', target.outside);
  const gateway = (await tenant.call('POST', '/v1/channel-accounts', {
    provider: 'http-sms',
    name: `gateway ${text}`,
    settings,
  })) as { id: string };
  const linkable = (await tenant.call('POST', '/v1/channel-accounts', {
    provider: 'whatsapp-web',
    name: `phone ${text}`,
    settings: {},
  })) as { id: string };
  const bot = (await tenant.call('POST', '/v1/channel-accounts', {
    provider: 'telegram-bot',
    name: `bot ${text}`,
    settings: goodSettings('telegram-bot', target.outside)[0],
  })) as { id: string };
  const byChannel = Object.fromEntries(sandboxes.map(({ id, channel }) => [`account.${channel}`, id]));
  for (const channel of ['sms', 'telegram'])
    await tenant.call('PATCH', `/v1/channel-accounts/${byChannel[`account.${channel}`]}`, {
      isDefault: true,
    });
  const send = { to: '+491709912345', text: `text ${text}`, idempotencyKey: `key ${text}` };
  const message = await callJson(client, 'POST', '/v1/notify/sms/text', [['x-api-key', key.key]], send);
  const start = { to: '+491709912345', channel: 'sms' };
  const verification = await callJson(
    client,
    'POST',
    '/v1/notify/verifications',
    [['x-api-key', key.key]],
    start,
  );
  const simulate = `/v1/channel-accounts/${byChannel['account.sms']}/simulate-inbound`;
  const media = { type: 'document', caption: `caption ${text}` };
  const file = (await tenant.call('POST', simulate, { from: '+491709912345', media })) as {
    messageId: string;
  };
  const uploaded = await uploadByKey(client, key.key);
  const { data } = (await tenant.call('GET', '/v1/conversations')) as { data: [{ id: string }] };
  const ids = {
    key: key.id,
    'token.id': token.id,
    webhook: webhook.id,
    delivery: test.deliveryId,
    account: gateway.id,
    'account.linkable': linkable.id,
    'account.bot': bot.id,
    session: sessionOf(tenant),
    message: (message.json as { id: string }).id,
    'message.failed': await sendByHand(tenant, 'sms', byChannel['account.sms']!, text, '+491709910001'),
    'message.file': file.messageId,
    file: uploaded,
    'file.key': uploaded,
    conversation: data[0].id,
    verification: (verification.json as { id: string }).id,
    'message.waiting': await sendByHand(tenant, 'whatsapp', linkable.id, text),
    group: await sendGroup(tenant, text),
  };
  return {
    names: {
      ...ids,
      ...byChannel,
      apiKey: key.key,
      serviceToken: token.token,
      revokedToken: revoked.token,
      refresh: tenant.refresh,
    },
    key: key.key,
    secrets: [webhook.secret, token.token, revoked.token],
  };
}

/** Sends a text with the tenant's session; its id. By an account of a phone that is not linked it waits. */
export async function sendByHand(
  tenant: Tenant,
  channel: string,
  channelAccountId: string,
  text: string,
  to = '+491709912345',
): Promise<string> {
  const body = { channel, to, text: `text ${text}`, channelAccountId };
  return ((await tenant.call('POST', '/v1/messages', body)) as { id: string }).id;
}

/** Sends a group of two texts with the tenant's session; its id. */
async function sendGroup(tenant: Tenant, text: string): Promise<string> {
  const routes = ['+491709910001', '+491709912345'].map((to) => ({
    channel: 'sms',
    to,
    text: `text ${text}`,
  }));
  return ((await tenant.call('POST', '/v1/groups', { routes })) as { id: string }).id;
}

/** Uploads a file that belongs to the key, and returns its id. A file may be anything, so JSON is one. */
export async function uploadByKey(client: Client, apiKey: string): Promise<string> {
  const { json } = await callJson(client, 'POST', '/v1/notify/files', [['x-api-key', apiKey]], { a: 1 });
  return (json as { id: string }).id;
}
