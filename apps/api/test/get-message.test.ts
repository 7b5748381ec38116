import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

const to = '+15550001000';
const text = { to, text: 'hello' };

test('a message is looked up by its id, with or without prefix, every field there', async () => {
  const sent = await caller.notify('post', '/sms/text', text).expect(202);
  const { body } = await caller.notify('get', `/messages/${sent.body.id}`).expect(200);
  expect(body).toEqual({
    messageId: sent.body.id,
    channelAccountId: sent.body.channelAccountId,
    status: 'queued',
    provider: 'sms',
    to,
    type: 'text',
    body: { text: 'hello' },
    externalId: null,
    error: null,
    errorCode: null,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    expiresAt: expect.stringMatching(/Z$/),
    createdAt: sent.body.createdAt,
    updatedAt: expect.stringMatching(/Z$/),
    attempts: 0,
    segments: null,
    possibleDuplicate: false,
  });
  const bare = await caller.notify('get', `/messages/${sent.body.id.slice(4).toUpperCase()}`).expect(200);
  expect(bare.body).toEqual(body);
});

test('an unknown id, one that is none, and another tenant’s message are the same 404', async () => {
  const other = await service.tenant();
  const sent = await other.notify('post', '/sms/text', text).expect(202);
  for (const id of [sent.body.id, 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90', 'x', 'wh_1', '%00']) {
    const { status, body } = await caller.notify('get', `/messages/${id}`);
    expect([status, body.code]).toEqual([404, 'not-found']);
  }
});
