import { messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const to = '+15550001000';
const text = { to, text: 'hello' };

function storedMessages(tenantId: string) {
  return service.db
    .selectFrom('messages')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
}

test('a bulk call answers a message per item in order; what cannot be sent is failed, the rest is queued', async () => {
  const own = await service.tenant();
  await own.notify('post', '/sms/text', { ...text, idempotencyKey: 'taken' }).expect(202);
  const messages = [
    { ...text, text: 'one' },
    { ...text, to: '12' },
    { ...text, channelAccountId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90' },
    { ...text, text: 'other', idempotencyKey: 'taken' },
    { ...text, text: 'twice', idempotencyKey: 'new' },
    { ...text, text: 'twice', idempotencyKey: 'new' },
  ];
  const { body } = await own.notify('post', '/sms/bulk', { messages }).expect(202);
  const codes = body.map((message: { errorCode?: string }) => message.errorCode ?? null);
  expect(codes).toEqual([
    null,
    'invalid-recipient',
    'channel-account-not-found',
    'idempotency-key-reused',
    null,
    null,
  ]);
  expect(body.map((message: { status: string }) => message.status)).toEqual(
    codes.map((code: string | null) => (code === null ? 'queued' : 'failed')),
  );
  expect(body[1]).toMatchObject({ to: '12', body: { text: 'hello' }, error: expect.any(String) });
  expect(body[5]).toEqual(body[4]);
  const failed = await own.notify('get', `/messages/${body[1].id}`).expect(200);
  expect(failed.body).toMatchObject({ status: 'failed', errorCode: 'invalid-recipient', to: '12' });
});

test('an item that failed has told message.failed only, and its idempotency key is still free', async () => {
  const own = await service.tenant();
  const item = { to: '12', text: 'x', idempotencyKey: 'k' };
  const { body } = await own.notify('post', '/sms/bulk', { messages: [item] }).expect(202);
  const events = await service.db
    .selectFrom('events')
    .select(['event', 'sequence'])
    .where('message_id', '=', body[0].id.slice(4))
    .execute();
  expect(events).toEqual([{ event: 'message.failed', sequence: 1 }]);
  const again = await own.notify('post', '/sms/bulk', { messages: [{ ...item, to }] }).expect(202);
  expect(again.body[0].status).toBe('queued');
});

test('without an account every item of a bulk call fails by itself', async () => {
  const bare = await service.tenant({ sandbox: false });
  const { body } = await bare.notify('post', '/sms/bulk', { messages: [text, text] }).expect(202);
  expect(body).toHaveLength(2);
  expect(body[0]).toMatchObject({
    status: 'failed',
    errorCode: 'channel-not-connected',
    channelAccountId: null,
  });
});

test.each([
  ['there are no messages', {}, 'body/messages'],
  ['messages is null', { messages: null }, 'body/messages'],
  ['messages is no list', { messages: text }, 'body/messages'],
  ['messages is empty', { messages: [] }, 'body/messages'],
  ['there are 101', { messages: Array.from({ length: 101 }, () => text) }, 'body/messages'],
  ['an item is no object', { messages: [text, 'x'] }, 'body/messages/1'],
  ['an item lacks to', { messages: [text, { text: 'x' }] }, 'body/messages/1/to'],
  ['an item has a number for text', { messages: [{ to, text: 1 }] }, 'body/messages/0/text'],
  ['an item has an unknown field', { messages: [text, { ...text, type: 'text' }] }, 'body/messages/1/type'],
  ['a field is unknown', { messages: [text], channelAccountId: 'x' }, 'body/channelAccountId'],
])('a whole bulk call is refused when %s', async (_why, body, at) => {
  const own = await service.tenant();
  const answer = await own.notify('post', '/sms/bulk', body).expect(422);
  expect(answer.body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
  expect(await storedMessages(own.tenantId)).toHaveLength(0);
});

test('100 items are one call', async () => {
  const own = await service.tenant();
  const messages = Array.from({ length: 100 }, (_, index) => ({ to, text: `number ${index}` }));
  const { body } = await own.notify('post', '/telegram/bulk', {
    messages: messages.map((message) => ({ ...message, to: '12345' })),
  });
  expect(body.map((message: { body: { text: string } }) => message.body.text)).toEqual(
    messages.map((message) => message.text),
  );
});

test('100 items of the longest text are taken, however JSON writes them', async () => {
  const own = await service.tenant();
  const plain = JSON.stringify({
    messages: Array.from({ length: 100 }, () => ({ to, text: '😀'.repeat(4096) })),
  });
  const escaped = plain.replaceAll('😀', '\\ud83d\\ude00');
  for (const body of [plain, escaped]) {
    const answer = await own.notify('post', '/sms/bulk').type('json').send(body);
    expect(answer.status).toBe(202);
  }
});
