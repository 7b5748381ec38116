import type { Response } from 'supertest';
import type { DescribedOperation } from './operations.ts';
import type { Tenant } from './tenant.ts';
import { phone } from './values.ts';

/** One thing of each kind that ids name, all of one tenant. */
export interface Resources {
  readonly message: string;
  readonly key: string;
  readonly token: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly account: string;
  readonly session: string;
  /** An inbound message with a file. */
  readonly file: string;
  /** An uploaded file. */
  readonly upload: string;
  readonly conversation: string;
  readonly group: string;
  readonly verification: string;
}

/** What `{id}` names below each path. */
const kinds: Readonly<Record<string, keyof Resources>> = {
  '/auth/sessions': 'session',
  '/tenant/api-keys': 'key',
  '/tenant/service-tokens': 'token',
  '/v1/notify/files': 'upload',
  '/v1/files': 'upload',
  '/v1/notify/messages': 'message',
  '/v1/messages': 'message',
  '/v1/webhooks': 'webhook',
  '/v1/channel-accounts': 'account',
  '/v1/conversations': 'conversation',
  '/v1/notify/conversations': 'conversation',
  '/v1/consent': 'account',
  '/v1/notify/groups': 'group',
  '/v1/groups': 'group',
  '/v1/notify/verifications': 'verification',
  '/v1/verifications': 'verification',
};

/** An address that several tenants may know. */
export const anybody = '+4915112345678';

/** Makes one thing of each kind. */
export async function makeResources(tenant: Tenant): Promise<Resources> {
  const account = { provider: 'sandbox', name: 'theirs', settings: { channel: 'sms' } };
  const webhook = (await tenant.post('/v1/webhooks', { url: 'https://hooks.example.com/' })).body.id;
  const { email, password } = tenant;
  await tenant.service.call('post', '/auth/login', { body: { email, password } });
  const sessions: Response['body'][] = (await tenant.get('/auth/sessions')).body;
  const accountId = (await tenant.post('/v1/channel-accounts', account)).body.id;
  const image = { from: phone(), media: { type: 'image' } };
  const simulate = `/v1/channel-accounts/${accountId}/simulate-inbound`;
  const file = (await tenant.post(simulate, image)).body.messageId;
  await tenant.put(`/v1/consent/${accountId}/${encodeURIComponent(anybody)}`, { status: 'opted-in' });
  const { apiKey } = tenant;
  // A file may be anything, so JSON is one.
  const uploaded = await tenant.service.call('post', '/v1/notify/files', { apiKey, body: { a: 1 } });
  return {
    webhook,
    upload: uploaded.body.id,
    message: (await tenant.send('sms/text', { to: phone(), text: 'hi' })).body.id,
    token: (await tenant.post('/tenant/service-tokens', { name: 'x', scopes: ['usage:read'] })).body.id,
    key: (await tenant.post('/tenant/api-keys', { name: 'x' })).body.id,
    delivery: (await tenant.post(`/v1/webhooks/${webhook}/test`)).body.deliveryId,
    account: accountId,
    session: sessions.find(({ current }) => !current).id,
    file,
    group: (await tenant.send('send', { routes: [{ channel: 'sms', to: phone(), text: 'hi' }] })).body.id,
    verification: (await tenant.send('verifications', { to: phone(), channel: 'sms' })).body.id,
    conversation: (await tenant.get(`/v1/conversations?channelAccountId=${accountId}`)).body.data[0].id,
  };
}

/** Which of the resources a parameter of the path names; fails for one that nobody has placed. */
export function kindOf({ path }: DescribedOperation, parameter: string): keyof Resources {
  if (parameter === 'deliveryId') return 'delivery';
  if (path.endsWith('/media')) return 'file';
  const place = Object.keys(kinds).find((prefix) => path.startsWith(`${prefix}/{${parameter}}`));
  if (place === undefined)
    throw new Error(`nobody has said what {${parameter}} of ${path} names: add it to the kinds`);
  return kinds[place]!;
}
