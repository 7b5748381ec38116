import { badRequired, badSharedFields, changed, tooLong } from '../suite/bad-fields.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { newKey, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, emoji, id, inheritedNames, phone, recipient, timestamp, uuid } from '../suite/values.ts';

const service = serviceUnderTest();
const good = { to: phone(), text: 'hello' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe.each(channels)('POST /v1/notify/%s/text', (channel) => {
  test('answers 202 with the Message', async () => {
    const to = recipient(channel);
    const response = await tenant.send(`${channel}/text`, { to, text: 'hello' });
    expect(response.status).toBe(202);
    expect(response.body).toMatchObject({
      id: id('msg'),
      tenantId: tenant.id,
      provider: channel,
      to,
      type: 'text',
      status: 'queued',
      body: { text: 'hello' },
      createdAt: timestamp,
      channelAccountId: uuid,
    });
    expect(response.body.body).toEqual({ text: 'hello' });
  });

  test('uses the channel’s default account, or the one that is asked for', async () => {
    const { id: accountId } = await sandboxAccount(tenant, channel);
    const message = { to: recipient(channel), text: 'hello' };
    const byDefault = await tenant.send(`${channel}/text`, message);
    const asked = await tenant.send(`${channel}/text`, { ...message, channelAccountId: accountId });
    expect([byDefault.body.channelAccountId, asked.body.channelAccountId]).toEqual([accountId, accountId]);
  });
});

describe('a text', () => {
  test.each([
    ['one character', { text: 'x' }],
    ['4096 characters', { text: 'x'.repeat(4_096) }],
    ['4096 emoji, which are 8192 UTF-16 units', { text: emoji.repeat(4_096) }],
    ['line breaks, tabs and control characters other than NUL', { text: 'a\r\n\tb\u0001' }],
    ['an idempotencyKey of 100 emoji', { idempotencyKey: emoji.repeat(100) }],
    ['an expiresInSeconds of 30', { expiresInSeconds: 30 }],
    ['an expiresInSeconds of 604800', { expiresInSeconds: 604_800 }],
    [
      'null for every optional field',
      { channelAccountId: null, idempotencyKey: null, expiresInSeconds: null },
    ],
  ])('may have %s', async (_what, change) => {
    const response = await tenant.send('sms/text', { ...good, ...change });
    expect(response).toMatchObject({ status: 202, body: { status: 'queued' } });
  });

  test('comes back as it was sent, to the last code point', async () => {
    const text = `é e\u0301 ${emoji} \u202e ﷽ "\\ \u{10ffff}`;
    expect((await tenant.send('whatsapp/text', { ...good, text })).body.body.text).toBe(text);
  });

  test.each([
    ...badSharedFields,
    ...badRequired('text'),
    ...tooLong('text', 4_096),
    ['an empty text', { text: '' }, 'text'] as const,
    ['a field of a media send', { url: 'https://example.com/a.png' }, 'url'] as const,
  ])('with %s is refused, naming the field', async (_what, change, at) => {
    expect(await tenant.send('sms/text', changed(good, change))).toMatchObject(
      problem('invalid-request', at),
    );
  });

  test('names every field that is wrong', async () => {
    const response = await tenant.send('sms/text', { to: 7, text: 7, more: 7 });
    const named = response.body.errors.map(({ at }: { at: string }) => at).join(' ');
    expect(named).toMatch(/to/);
    expect(named).toMatch(/text/);
    expect(named).toMatch(/more/);
  });
});

describe('the account of a send', () => {
  test('takes the id in upper case', async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'sms');
    const response = await tenant.send('sms/text', { ...good, channelAccountId: accountId.toUpperCase() });
    expect(response).toMatchObject({ status: 202, body: { channelAccountId: accountId } });
  });

  test('that nobody has is refused', async () => {
    const response = await tenant.send('sms/text', { ...good, channelAccountId: crypto.randomUUID() });
    expect(response).toMatchObject(problem('channel-account-not-found'));
  });

  test('that is of another channel is refused', async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'telegram');
    const response = await tenant.send('sms/text', { ...good, channelAccountId: accountId });
    expect(response).toMatchObject(problem('channel-account-not-found'));
  });
});

describe('the channel of a send', () => {
  test.each(['fax', 'SMS', 'email', 'sms%20', '%00', ...inheritedNames])('%s is unknown', async (channel) => {
    for (const kind of ['text', 'media', 'bulk']) {
      expect(await tenant.send(`${channel}/${kind}`, good)).toMatchObject(problem('unknown-channel'));
    }
  });
});

describe('the checks of a send run in their order', () => {
  test('key, rate and channel go before the body is read, and what is refused counts as a request', async () => {
    const own = await newKey(service, tenant.accessToken, 4);
    const send = (apiKey: string, path: string, raw = '{', type = 'application/json') =>
      service.call('post', `/v1/notify/${path}`, { apiKey, raw, type });
    expect(await send('wrong', 'fax/text')).toMatchObject(problem('invalid-api-key'));
    expect(await send(own, 'fax/text')).toMatchObject(problem('unknown-channel'));
    expect(await send(own, 'fax/text', 'x', 'text/plain')).toMatchObject(problem('unknown-channel'));
    expect(await send(own, 'sms/text')).toMatchObject(problem('malformed-json'));
    const last = await send(own, 'sms/text', '{}');
    expect(last).toMatchObject(problem('invalid-request'));
    expect(last.headers['ratelimit-remaining']).toBe('0');
    expect(await send(own, 'fax/text')).toMatchObject(problem('rate-limited'));
  });

  test('the schema goes before the account', async () => {
    const response = await tenant.send('sms/text', {
      ...good,
      text: '',
      channelAccountId: crypto.randomUUID(),
    });
    expect(response).toMatchObject(problem('invalid-request', 'text'));
  });
});
