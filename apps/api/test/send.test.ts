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
const image = { to, type: 'image', url: 'https://example.com/a.png' };

function storedMessages(tenantId: string) {
  return service.db
    .selectFrom('messages')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .execute();
}

test('a text is answered 202 with the message, stored with its event, and its account is woken', async () => {
  const own = await service.tenant();
  const { status, body } = await own.notify('post', '/sms/text', text);
  expect(status).toBe(202);
  expect(body).toEqual({
    id: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    tenantId: `ten_${own.tenantId}`,
    channelAccountId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    provider: 'sms',
    to,
    type: 'text',
    status: 'queued',
    body: { text: 'hello' },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  const [stored] = await storedMessages(own.tenantId);
  expect(stored).toMatchObject({ id: body.id.slice(4), recipient: to, status: 'queued', bulk: false });
  const dayMs = stored!.expires_at.getTime() - stored!.created_at.getTime();
  expect(dayMs).toBe(86_400_000);
  const events = await service.db
    .selectFrom('events')
    .select('event')
    .where('tenant_id', '=', own.tenantId)
    .execute();
  expect(events).toEqual([{ event: 'message.queued' }]);
  expect(service.wakes).toContain(`dispatch fast ${body.channelAccountId}`);
});

test('expiresInSeconds sets how long the message may wait', async () => {
  const own = await service.tenant();
  await own.notify('post', '/sms/text', { ...text, expiresInSeconds: 30 }).expect(202);
  const [stored] = await storedMessages(own.tenantId);
  expect(stored!.expires_at.getTime() - stored!.created_at.getTime()).toBe(30_000);
});

test('a media message shows type, url and caption, null when absent, and filename when given', async () => {
  const plain = await caller.notify('post', '/whatsapp/media', image).expect(202);
  expect(plain.body).toMatchObject({ type: 'image', status: 'queued' });
  expect(plain.body.body).toEqual({ type: 'image', url: image.url, caption: null });
  const full = { ...image, type: 'document', caption: 'c', filename: 'a.pdf' };
  const document = await caller.notify('post', '/telegram/media', { ...full, to: '@durov' }).expect(202);
  expect(document.body.body).toEqual({ type: 'document', url: image.url, caption: 'c', filename: 'a.pdf' });
});

test.each(['email', 'SMS', 'constructor', '__proto__'])('the channel %s is unknown', async (channel) => {
  const { body } = await caller.notify('post', `/${channel}/text`, text).expect(404);
  expect(body.code).toBe('unknown-channel');
});

test('an unknown channel is found before the body is looked at, and after the key', async () => {
  const { body } = await caller.notify('post', '/email/text').set('Content-Type', 'text/plain').send('x');
  expect(body.code).toBe('unknown-channel');
  const stranger = await caller
    .notify('post', '/email/text', text)
    .set('X-Api-Key', 'svc_live_x')
    .expect(401);
  expect(stranger.body.code).toBe('invalid-api-key');
});

test.each([
  ['to is missing', { text: 'x' }, 'body/to'],
  ['to is a number', { ...text, to: 15550001000 }, 'body/to'],
  ['to is null', { ...text, to: null }, 'body/to'],
  ['to is too long', { ...text, to: '1'.repeat(257) }, 'body/to'],
  ['text is missing', { to }, 'body/text'],
  ['text is null', { to, text: null }, 'body/text'],
  ['text is empty', { to, text: '' }, 'body/text'],
  ['text is too long', { to, text: 'x'.repeat(4097) }, 'body/text'],
  ['text has a NUL', { to, text: 'a\u0000b' }, 'body/text'],
  ['text has a lone surrogate', { to, text: 'a\ud800' }, 'body/text'],
  ['to has a NUL', { ...text, to: '+1555000\u00001000' }, 'body/to'],
  ['the account is no UUID', { ...text, channelAccountId: 'x' }, 'body/channelAccountId'],
  ['the idempotency key is empty', { ...text, idempotencyKey: '' }, 'body/idempotencyKey'],
  ['the idempotency key is too long', { ...text, idempotencyKey: 'x'.repeat(101) }, 'body/idempotencyKey'],
  ['the idempotency key is a number', { ...text, idempotencyKey: 1 }, 'body/idempotencyKey'],
  ['the expiry is too short', { ...text, expiresInSeconds: 29 }, 'body/expiresInSeconds'],
  ['the expiry is too long', { ...text, expiresInSeconds: 604_801 }, 'body/expiresInSeconds'],
  ['the expiry is no integer', { ...text, expiresInSeconds: 30.5 }, 'body/expiresInSeconds'],
  ['the expiry is a text', { ...text, expiresInSeconds: '30' }, 'body/expiresInSeconds'],
  ['a field is unknown', { ...text, idempotencykey: 'x' }, 'body/idempotencykey'],
])('a text is refused when %s', async (_why, body, at) => {
  const answer = await caller.notify('post', '/sms/text', body).expect(422);
  expect(answer.body.code).toBe('invalid-request');
  expect(answer.body.errors.map((error: { at: string }) => error.at)).toEqual([at]);
});

test('4096 code points are a text, however many units they take; optional nulls are as if absent', async () => {
  const options = { channelAccountId: null, idempotencyKey: null, expiresInSeconds: null };
  await caller.notify('post', '/sms/text', { to, text: '😀'.repeat(4096), ...options }).expect(202);
});

test.each([
  ['sms', '15550001000'],
  ['sms', '+1'],
  ['sms', ''],
  ['whatsapp', '@durov'],
  ['telegram', '+15550001000'],
])('on %s the recipient %s is refused by its own code', async (channel, recipient) => {
  const { body } = await caller.notify('post', `/${channel}/text`, { ...text, to: recipient }).expect(422);
  expect(body).toMatchObject({ code: 'invalid-recipient', errors: [{ at: 'body/to' }] });
});

test('on sms media is not supported, whatever else is wrong', async () => {
  for (const body of [image, {}, { nonsense: true }]) {
    const answer = await caller.notify('post', '/sms/media', body).expect(422);
    expect(answer.body.code).toBe('media-not-supported');
  }
  const broken = await caller.notify('post', '/sms/media').set('Content-Type', 'application/json').send('{');
  expect(broken.body.code).toBe('media-not-supported');
  const stranger = await caller.notify('post', '/sms/media', image).set('X-Api-Key', 'x');
  expect(stranger.body.code).toBe('invalid-api-key');
});

test.each([undefined, null])('media with the url %s is refused by its own code', async (url) => {
  const { body } = await caller.notify('post', '/whatsapp/media', { ...image, url }).expect(422);
  expect(body).toMatchObject({ code: 'media-url-required', errors: [{ at: 'body/url' }] });
});

test.each([
  ['type is missing', { to, url: image.url }, 'body/type'],
  ['type is unknown', { ...image, type: 'text' }, 'body/type'],
  ['to is missing', { type: 'image', url: image.url }, 'body/to'],
  ['url is a number', { ...image, url: 1 }, 'body/url'],
  ['url is not http', { ...image, url: 'ftp://example.com/a.png' }, 'body/url'],
  ['url is relative', { ...image, url: '/a.png' }, 'body/url'],
  ['url has a password', { ...image, url: 'https://u:p@example.com/a.png' }, 'body/url'],
  ['url is too long', { ...image, url: `https://example.com/${'x'.repeat(2048)}` }, 'body/url'],
  ['caption is too long', { ...image, caption: 'x'.repeat(1025) }, 'body/caption'],
  ['filename is too long', { ...image, filename: 'x'.repeat(256) }, 'body/filename'],
  ['a field is unknown', { ...image, text: 'x' }, 'body/text'],
])('media is refused when %s', async (_why, body, at) => {
  const answer = await caller.notify('post', '/whatsapp/media', body).expect(422);
  expect(answer.body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
});

test('media takes a caption of 1024 and a filename of 255 code points', async () => {
  const body = { ...image, caption: '😀'.repeat(1024), filename: '😀'.repeat(255) };
  await caller.notify('post', '/whatsapp/media', body).expect(202);
});

test('without an account on the channel: channel-not-connected', async () => {
  const bare = await service.tenant({ sandbox: false });
  const { body } = await bare.notify('post', '/sms/text', text).expect(422);
  expect(body.code).toBe('channel-not-connected');
});

test('an account of another tenant, of another channel, or none at all: channel-account-not-found', async () => {
  const other = await service.tenant();
  const [foreign] = (await other.manage('get', '/v1/channel-accounts')).body;
  const own = (await caller.manage('get', '/v1/channel-accounts')).body as { id: string; channel: string }[];
  const telegram = own.find((account) => account.channel === 'telegram')!;
  for (const channelAccountId of [foreign.id, telegram.id, '01912d68-783e-7a52-9d3a-6c4f2b1e8a90']) {
    const { body } = await caller.notify('post', '/sms/text', { ...text, channelAccountId }).expect(422);
    expect(body.code).toBe('channel-account-not-found');
  }
  const sms = own.find((account) => account.channel === 'sms')!;
  const upper = { ...text, channelAccountId: sms.id.toUpperCase() };
  const { body } = await caller.notify('post', '/sms/text', upper).expect(202);
  expect(body.channelAccountId).toBe(sms.id);
});

test('a repeated request answers the first message, and a different one under its key is refused', async () => {
  const own = await service.tenant();
  const keyed = { ...text, idempotencyKey: 'order-1' };
  const first = await own.notify('post', '/sms/text', keyed).expect(202);
  const again = await own.notify('post', '/sms/text', { ...keyed, expiresInSeconds: 60 }).expect(202);
  expect(again.body).toEqual(first.body);
  const different = [
    own.notify('post', '/sms/text', { ...keyed, text: 'other' }),
    own.notify('post', '/sms/text', { ...keyed, to: '+15550001001' }),
    own.notify('post', '/whatsapp/text', keyed),
    own.notify('post', '/sms/text', { ...keyed, channelAccountId: first.body.channelAccountId }),
  ];
  for (const answer of await Promise.all(different)) {
    expect([answer.status, answer.body.code]).toEqual([409, 'idempotency-key-reused']);
  }
  expect(await storedMessages(own.tenantId)).toHaveLength(1);
});

test('however many requests with one key race, one message is made', async () => {
  const own = await service.tenant();
  const keyed = { ...text, idempotencyKey: 'race' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => own.notify('post', '/sms/text', keyed)));
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([202]));
  expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
  expect(await storedMessages(own.tenantId)).toHaveLength(1);
});

test('a key of one tenant says nothing about the same key of another', async () => {
  const [one, two] = [await service.tenant(), await service.tenant()];
  const keyed = { ...text, idempotencyKey: 'same' };
  const first = await one.notify('post', '/sms/text', keyed).expect(202);
  const second = await two.notify('post', '/sms/text', { ...keyed, text: 'other' }).expect(202);
  expect(second.body.id).not.toBe(first.body.id);
});

test('over the limit of waiting messages: 429 limit-reached', async () => {
  await using small = await messagingApp({ maxWaitingPerTenant: 2 });
  const own = await small.tenant();
  await own.notify('post', '/sms/bulk', { messages: [text, text] }).expect(202);
  const { status, body } = await own.notify('post', '/sms/text', text);
  expect([status, body.code]).toEqual([429, 'limit-reached']);
  const bulk = await own.notify('post', '/sms/bulk', { messages: [text] });
  expect([bulk.status, bulk.body.code]).toEqual([429, 'limit-reached']);
});

test('over the limit a repeat is still answered as the first time', async () => {
  await using small = await messagingApp({ maxWaitingPerTenant: 1 });
  const own = await small.tenant();
  const keyed = { ...text, idempotencyKey: 'k' };
  const first = await own.notify('post', '/sms/text', keyed).expect(202);
  await own.notify('post', '/sms/text', text).expect(429);
  const again = await own.notify('post', '/sms/text', keyed).expect(202);
  expect(again.body).toEqual(first.body);
  await own.notify('post', '/sms/bulk', { messages: [keyed, text] }).expect(429);
});

test('a revoked key neither sends nor looks up, even where it was just used', async () => {
  const own = await service.tenant();
  const sent = await own.notify('post', '/sms/text', text).expect(202);
  await service.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', own.keyId)
    .execute();
  for (const answer of [
    await own.notify('post', '/sms/text', text),
    await own.notify('post', '/sms/bulk', { messages: [text] }),
    await own.notify('get', `/messages/${sent.body.id}`),
    await own.notify('get', '/messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([401, 'invalid-api-key']);
  }
  expect(await storedMessages(own.tenantId)).toHaveLength(1);
});
