import { badRequired, badSharedFields, changed, tooLong } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, emoji, id, phone, recipient, someText, timestamp, uuid } from '../suite/values.ts';

const item = () => ({ to: phone(), text: 'hello' });
const items = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...item(), text: `no ${index}` }));

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
const bulk = (messages: unknown) => tenant.send('sms/bulk', { messages });

describe.each(channels)('POST /v1/notify/%s/bulk', (channel) => {
  test('answers 202 with one Message per item, in their order', async () => {
    const messages = ['a', 'b', 'c'].map((text) => ({ to: recipient(channel), text }));
    const response = await tenant.send(`${channel}/bulk`, { messages });
    expect(response.status).toBe(202);
    expect(response.body).toHaveLength(3);
    expect(response.body).toMatchObject(
      messages.map(({ to, text }) => ({
        id: id('msg'),
        tenantId: tenant.id,
        provider: channel,
        to,
        type: 'text',
        status: 'queued',
        body: { text },
        createdAt: timestamp,
        channelAccountId: uuid,
      })),
    );
  });
});

describe('the number of items', () => {
  test('may be one', async () => {
    expect((await bulk(items(1))).body).toHaveLength(1);
  });

  test('may be 100, each answered in its place', async () => {
    const { status, body } = await bulk(items(100));
    expect(status).toBe(202);
    expect(body.map((message: { body: { text: string } }) => message.body.text)).toEqual(
      items(100).map(({ text }) => text),
    );
    expect(new Set(body.map((message: { id: string }) => message.id)).size).toBe(100);
  });

  test('may be 100 of the longest text there is, however JSON writes it', async () => {
    const messages = Array.from({ length: 100 }, () => ({ ...item(), text: emoji.repeat(4_096) }));
    const plain = JSON.stringify({ messages });
    const escaped = plain.replaceAll(emoji, '\\ud83d\\ude00');
    for (const raw of [plain, escaped]) {
      const response = await tenant.service.call('post', '/v1/notify/whatsapp/bulk', {
        apiKey: tenant.apiKey,
        raw,
      });
      expect(response.status).toBe(202);
    }
  });

  test.each([
    ['none', []],
    ['101', items(101)],
    ['an object', { 0: item() }],
    ['a string', 'hello'],
    ['null', null],
    ['absent', undefined],
  ])('may not be %s', async (_what, messages) => {
    expect(await bulk(messages)).toMatchObject(problem('invalid-request', 'messages'));
  });

  test('goes with no unknown field beside it', async () => {
    const response = await tenant.send('sms/bulk', { messages: items(1), idempotencyKey: 'x' });
    expect(response).toMatchObject(problem('invalid-request', 'idempotencyKey'));
  });
});

describe('a malformed item', () => {
  test.each([
    ...badSharedFields,
    ...badRequired('text'),
    ...tooLong('text', 4_096),
    ['an empty text', { text: '' }, 'text'] as const,
    ['a field of a media send', { url: 'https://example.com/a.png' }, 'url'] as const,
  ])('with %s fails the call, naming item and field', async (_what, change, at) => {
    const response = await bulk([item(), changed(item(), change)]);
    expect(response).toMatchObject(problem('invalid-request', at));
    expect(response).toMatchObject(problem('invalid-request', '1'));
  });

  test.each([
    ['null', null],
    ['a string', 'hello'],
    ['an array', []],
    ['a number', 7],
  ])('that is %s fails the call, naming the item', async (_what, wrong) => {
    expect(await bulk([item(), wrong])).toMatchObject(problem('invalid-request', '1'));
  });

  test('leaves the others unsent', async () => {
    const idempotencyKey = crypto.randomUUID();
    await bulk([{ ...item(), idempotencyKey }, { to: phone() }]);
    const afterwards = await tenant.send('sms/text', {
      to: phone(),
      text: 'another request',
      idempotencyKey,
    });
    expect(afterwards.status).toBe(202);
  });
});

describe('an item that is well-formed but cannot be sent', () => {
  test('comes back failed in its place, with its error, and the rest is queued', async () => {
    const { status, body } = await bulk([item(), { ...item(), to: 'ada' }, item()]);
    expect(status).toBe(202);
    expect(body.map((message: { status: string }) => message.status)).toEqual(['queued', 'failed', 'queued']);
    expect(body[1]).toMatchObject({ id: id('msg'), to: 'ada', body: { text: 'hello' }, error: someText });
  });

  test('is stored and can be looked up', async () => {
    const { body } = await bulk([{ ...item(), to: 'ada' }]);
    const found = await tenant.message(body[0].id);
    expect(found).toMatchObject({
      status: 200,
      body: {
        messageId: body[0].id,
        status: 'failed',
        to: 'ada',
        error: body[0].error,
        errorCode: 'invalid-recipient',
        failedAt: timestamp,
        sentAt: null,
      },
    });
  });

  test.each([
    ['that nobody has', async () => crypto.randomUUID() as string],
    ['of another channel', async () => (await sandboxAccount(tenant, 'telegram')).id as string],
  ])('may have an account %s', async (_what, accountId) => {
    const channelAccountId = await accountId();
    const { status, body } = await bulk([{ ...item(), channelAccountId }, item()]);
    expect(status).toBe(202);
    expect(body).toMatchObject([{ status: 'failed', error: someText }, { status: 'queued' }]);
    expect((await tenant.message(body[0].id)).body.errorCode).toBe('channel-account-not-found');
  });

  test('may reuse an idempotency key for another request, and the first stands', async () => {
    const idempotencyKey = crypto.randomUUID();
    const first = { ...item(), idempotencyKey };
    const original = await tenant.send('sms/text', first);
    const { status, body } = await bulk([{ ...first, text: 'changed' }, item()]);
    expect(status).toBe(202);
    expect(body).toMatchObject([{ status: 'failed', error: someText }, { status: 'queued' }]);
    expect((await tenant.message(body[0].id)).body.errorCode).toBe('idempotency-key-reused');
    expect((await tenant.send('sms/text', first)).body.id).toBe(original.body.id);
  });

  test('does not use up its idempotency key', async () => {
    const idempotencyKey = crypto.randomUUID();
    const failed = await bulk([{ ...item(), to: 'ada', idempotencyKey }]);
    const corrected = await bulk([{ ...item(), idempotencyKey }]);
    expect(failed.body[0].status).toBe('failed');
    expect(corrected.body[0].status).toBe('queued');
  });

  test('leaves its key to a later item of the same call', async () => {
    const idempotencyKey = crypto.randomUUID();
    const { body } = await bulk([
      { ...item(), to: 'ada', idempotencyKey },
      { ...item(), idempotencyKey },
    ]);
    expect(body).toMatchObject([{ status: 'failed' }, { status: 'queued' }]);
    expect(body[0].id).not.toBe(body[1].id);
  });

  test('fails every item when all are so', async () => {
    const { status, body } = await bulk([
      { ...item(), to: 'ada' },
      { ...item(), to: 'grace' },
    ]);
    expect(status).toBe(202);
    expect(body).toMatchObject([{ status: 'failed' }, { status: 'failed' }]);
  });
});

describe('an item', () => {
  test('has its own account', async () => {
    const { id: channelAccountId } = await sandboxAccount(tenant, 'sms');
    const { body } = await bulk([{ ...item(), channelAccountId }]);
    expect(body).toMatchObject([{ status: 'queued', channelAccountId }]);
  });

  test('has a time limit of its own', async () => {
    const { body } = await bulk([{ ...item(), expiresInSeconds: 60 }]);
    const { createdAt, expiresAt } = (await tenant.message(body[0].id)).body;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(60_000);
  });

  test('may have null for every optional field', async () => {
    const nothing = { channelAccountId: null, idempotencyKey: null, expiresInSeconds: null };
    expect((await bulk([{ ...item(), ...nothing }])).status).toBe(202);
  });
});
