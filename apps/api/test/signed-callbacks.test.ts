import { createHmac } from 'node:crypto';
import request from 'supertest';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

/* Twilio signs the address it was told, so it must be checked against PUBLIC_URL, whatever host a request names. */

const authToken = 'a-token';
let service: MessagingApp;
let caller: Caller;
let accountId: string;
let callbackUrl: string;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
  const settings = { accountSid: `AC${'0a'.repeat(16)}`, authToken, from: '+15005550006' };
  const made = await caller
    .manage('post', '/v1/channel-accounts', { provider: 'twilio', name: 'Shop', settings })
    .expect(201);
  accountId = made.body.id;
  callbackUrl = made.body.callbackUrl;
});
afterAll(() => service[Symbol.asyncDispose]());

type Fields = Readonly<Record<string, string>>;

/** Posts to the path of `url`, signed as Twilio would sign it for that address. */
function post(url: string, fields: Fields) {
  const names = Object.keys(fields).sort();
  const signed = names.reduce((text, name) => text + name + fields[name], url);
  const { pathname, search } = new URL(url);
  return request(service.app)
    .post(pathname + search)
    .set('Host', 'internal:3000')
    .set('X-Twilio-Signature', createHmac('sha1', authToken).update(signed).digest('base64'))
    .type('form')
    .send(fields);
}

const report = { MessageSid: 'SM1', MessageStatus: 'delivered' };
const reference = '?notify_id=01912d68-783e-7a52-9d3a-6c4f2b1e8a90.1';

test('a report signed for the public address is taken', async () => {
  const before = service.received.length;
  await post(callbackUrl + reference, report).expect(200, '');
  expect(service.received.slice(before)).toMatchObject([
    { accountId, receipts: [{ externalId: 'SM1', part: 1, status: 'delivered' }] },
  ]);
});

test.each([
  ['another host', (url: string) => url.replace('notify.example.com', 'internal:3000')],
  ['another scheme', (url: string) => url.replace('https:', 'http:')],
])('one signed for %s is not', async (_, elsewhere) => {
  const before = service.received.length;
  await post(elsewhere(callbackUrl + reference), report).expect(404);
  expect(service.received).toHaveLength(before);
});

test('the secret in the path is no substitute for the signature', async () => {
  const { pathname } = new URL(callbackUrl);
  await request(service.app)
    .post(pathname + reference)
    .type('form')
    .send(report)
    .expect(404);
});

test('a recipient who opts out is suppressed for the account, until they opt in', async () => {
  const suppressed = () =>
    service.db.selectFrom('suppressions').select(['account_id', 'recipient']).execute();
  const text = { MessageSid: 'SM2', From: '+4915112345678', Body: 'Stop', OptOutType: 'STOP' };
  await post(callbackUrl, text).expect(200, '<Response/>');
  expect(await suppressed()).toEqual([{ account_id: accountId, recipient: '4915112345678' }]);
  await post(callbackUrl, { ...text, MessageSid: 'SM3', Body: 'Start', OptOutType: 'START' }).expect(
    200,
    '<Response/>',
  );
  expect(await suppressed()).toEqual([]);
});
