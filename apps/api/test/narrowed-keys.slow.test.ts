import { sql } from 'kysely';
import request from 'supertest';
import { makeKey, register, type Registered, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

let api: TestApi;
let tenant: Registered;
/** Two accounts on sms, of which the first is the default, and one on telegram. */
let accounts: { first: string; second: string; telegram: string };
beforeEach(async () => {
  api = await testApi({ trustedProxies: 1 });
  tenant = await register(api.app);
  const make = async (channel: string) => {
    const body = { provider: 'sandbox', name: 'more', settings: { channel } };
    return (await asTenant('post', '/v1/channel-accounts', body)).body.id as string;
  };
  const second = await make('sms');
  const listed = (await asTenant('get', '/v1/channel-accounts')).body;
  const defaultOf = (channel: string) =>
    listed.find((one: { channel: string; isDefault: boolean }) => one.channel === channel && one.isDefault)
      .id;
  accounts = { first: defaultOf('sms'), second, telegram: defaultOf('telegram') };
});
afterEach(() => api[Symbol.asyncDispose]());

function asTenant(method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) {
  const asked = request(api.app)[method](path).set('Authorization', tenant.bearer);
  return body === undefined ? asked : asked.send(body);
}
const allScopes = ['send', 'read', 'list', 'cancel'];
const keyFor = async (options: object) =>
  (await makeKey(api.app, tenant, { scopes: allScopes, ...options })).key;
const call = (key: string, method: 'get' | 'post', path: string, body?: object) => {
  const asked = request(api.app)[method](`/v1/notify/${path}`).set('X-Api-Key', key);
  return body === undefined ? asked : asked.send(body);
};
const text = (more: object = {}) => ({ to: '+15550001000', text: 'hi', ...more });

describe('the scopes of a key', () => {
  const uses = {
    send: (key: string) => call(key, 'post', 'sms/text', text()),
    read: (key: string) => call(key, 'get', 'messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'),
    list: (key: string) => call(key, 'get', 'messages'),
    cancel: (key: string) => call(key, 'post', 'messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90/cancel'),
  };

  test('are send and read by default, also for keys that are older than scopes', async () => {
    const made = await asTenant('post', '/tenant/api-keys', { name: 'plain' });
    expect(made.body).toMatchObject({
      scopes: ['send', 'read'],
      channelAccountIds: null,
      expiresAt: null,
      allowedIps: null,
    });
    expect((await uses.list(made.body.key)).status).toBe(403);
    expect((await uses.send(made.body.key)).status).toBe(202);
  });

  test('come after the rate, which refusals count against, and before the channel and the body', async () => {
    const key = await keyFor({ scopes: ['read'], rateLimitOverride: 2 });
    const ask = () => call(key, 'post', 'fax/text', { nonsense: 1 });
    for (const remaining of ['1', '0']) {
      const { body, headers } = await ask();
      expect([body, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
        problem('forbidden'),
        '2',
        remaining,
      ]);
    }
    const limited = await ask();
    expect([limited.status, limited.body]).toEqual([429, problem('rate-limited')]);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('a revoked key learns only that it is revoked', async () => {
    const { id, key } = await makeKey(api.app, tenant, { scopes: ['send'] });
    expect((await uses.send(key)).status).toBe(202);
    await asTenant('delete', `/tenant/api-keys/${id}`);
    for (const use of Object.values(uses)) expect((await use(key)).body).toEqual(problem('invalid-api-key'));
  });
});

describe('the addresses of a key', () => {
  test('are those from which it works, at once and from the cache', async () => {
    const key = await keyFor({ allowedIps: ['203.0.113.7/24', '2001:db8::/32'] });
    const from = (address: string) => call(key, 'post', 'sms/text', text()).set('X-Forwarded-For', address);
    for (let round = 0; round < 2; round += 1) {
      for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8::7'])
        expect([address, (await from(address)).status]).toEqual([address, 202]);
      for (const address of ['203.0.114.1', '::1', 'x', '203.0.113.1, 198.51.100.1'])
        expect([address, (await from(address)).body]).toEqual([address, problem('forbidden')]);
    }
  });

  test('come after the rate, which refusals count against', async () => {
    const key = await keyFor({ allowedIps: ['203.0.113.7'], rateLimitOverride: 1 });
    const refused = await call(key, 'get', 'messages');
    expect([refused.status, refused.headers['ratelimit-remaining']]).toEqual([403, '0']);
    expect((await call(key, 'get', 'messages')).body).toEqual(problem('rate-limited'));
  });

  test('are recognised behind a proxy that appends the port', async () => {
    const key = await keyFor({ allowedIps: ['203.0.113.7', '2001:db8::1'] });
    for (const address of ['203.0.113.7:1234', '[2001:db8::1]:443'])
      expect((await call(key, 'get', 'messages').set('X-Forwarded-For', address)).status).toBe(200);
  });

  test('are shown as blocks', async () => {
    const made = await asTenant('post', '/tenant/api-keys', {
      name: 'x',
      allowedIps: ['203.0.113.7/24', '203.0.113.9/24', '2001:DB8::1', '::ffff:10.0.0.1'],
    });
    expect(made.body.allowedIps).toEqual(['203.0.113.0/24', '2001:db8::1/128', '10.0.0.1/32']);
    const [listed] = (await asTenant('get', '/tenant/api-keys')).body;
    expect(listed.allowedIps).toEqual(made.body.allowedIps);
  });
});

test('another tenant’s account and a removed one are no accounts for a key', async () => {
  const other = await register(api.app);
  await asTenant('delete', `/v1/channel-accounts/${accounts.second}`);
  const theirs = await request(api.app).get('/v1/channel-accounts').set('Authorization', other.bearer);
  for (const id of [theirs.body[0].id, accounts.second]) {
    const answer = await asTenant('post', '/tenant/api-keys', {
      name: 'x',
      channelAccountIds: [accounts.first, id],
    });
    expect([answer.status, answer.body.errors[0].at]).toEqual([422, 'body/channelAccountIds/1']);
  }
});

describe('the accounts of a key', () => {
  test('one of a channel is the one it sends from', async () => {
    const key = await keyFor({ channelAccountIds: [accounts.second.toUpperCase(), accounts.telegram] });
    const sent = await call(key, 'post', 'sms/text', text());
    expect([sent.status, sent.body.channelAccountId]).toEqual([202, accounts.second]);
    const other = await call(key, 'post', 'sms/text', text({ channelAccountId: accounts.first }));
    expect([other.status, other.body]).toEqual([422, problem('channel-account-not-found')]);
    const whatsapp = await call(key, 'post', 'whatsapp/text', text());
    expect([whatsapp.status, whatsapp.body]).toEqual([422, problem('channel-account-not-found')]);
  });

  test('of several it sends from the default, and from none if that is not among them', async () => {
    const body = { provider: 'sandbox', name: 'third', settings: { channel: 'sms' } };
    const third = (await asTenant('post', '/v1/channel-accounts', body)).body.id;
    const withDefault = await keyFor({ channelAccountIds: [accounts.second, accounts.first] });
    const without = await keyFor({ channelAccountIds: [accounts.second, third] });
    expect((await call(withDefault, 'post', 'sms/text', text())).body.channelAccountId).toBe(accounts.first);
    expect((await call(without, 'post', 'sms/text', text())).body).toEqual(
      problem('channel-account-not-found'),
    );
    expect((await call(without, 'post', 'sms/text', text({ channelAccountId: third }))).status).toBe(202);
    await asTenant('patch', `/v1/channel-accounts/${third}`, { isDefault: true });
    expect((await call(without, 'post', 'sms/text', text())).body.channelAccountId).toBe(third);
  });

  test('another account fails its item of a bulk call', async () => {
    const key = await keyFor({ channelAccountIds: [accounts.second] });
    const messages = [text(), text({ channelAccountId: accounts.first })];
    const { status, body } = await call(key, 'post', 'sms/bulk', { messages });
    expect(status).toBe(202);
    expect(body).toMatchObject([
      { status: 'queued', channelAccountId: accounts.second },
      { status: 'failed', errorCode: 'channel-account-not-found', channelAccountId: null },
    ]);
    expect((await call(key, 'get', `messages/${body[1].id}`)).body).toEqual(problem('not-found'));
    expect((await call(await keyFor({}), 'get', `messages/${body[1].id}`)).status).toBe(200);
  });

  test('a template is refused for the account, whatever the account has', async () => {
    const key = await keyFor({ channelAccountIds: [accounts.second] });
    const template = { name: 'none', language: 'en' };
    const { text: _, ...rest } = text({ channelAccountId: accounts.first });
    expect((await call(key, 'post', 'sms/template', { ...rest, template })).body).toEqual(
      problem('channel-account-not-found'),
    );
  });

  test('a message of another account is hidden', async () => {
    const first = await keyFor({ channelAccountIds: [accounts.first] });
    const second = await keyFor({ channelAccountIds: [accounts.second] });
    const theirs = (await call(first, 'post', 'sms/text', text())).body.id;
    const own = (await call(second, 'post', 'sms/text', text())).body.id;
    for (const [method, path] of [
      ['get', `messages/${theirs}`],
      ['get', `messages/${theirs}/media`],
      ['post', `messages/${theirs}/cancel`],
    ] as const)
      expect([path, (await call(second, method, path)).body]).toEqual([path, problem('not-found')]);
    const answer = await call(second, 'post', 'sms/text', text({ replyTo: theirs }));
    expect([answer.status, answer.body.errors[0].at]).toEqual([422, 'body/replyTo']);
    const ids = async (key: string, query = '') =>
      (await call(key, 'get', `messages${query}`)).body.data.map(
        (one: { messageId: string }) => one.messageId,
      );
    expect(await ids(second)).toEqual([own]);
    expect(await ids(second, `?channelAccountId=${accounts.first}`)).toEqual([]);
    expect(await ids(first)).toEqual([theirs]);
    expect((await call(first, 'post', `messages/${theirs}/cancel`)).body).toMatchObject({
      errorCode: 'canceled',
    });
    expect((await call(first, 'get', `messages/${theirs}`)).body).toMatchObject({ status: 'failed' });
  });

  test('a repeat does not reveal a message of another account', async () => {
    const first = await keyFor({ channelAccountIds: [accounts.first] });
    const second = await keyFor({ channelAccountIds: [accounts.second] });
    const all = await keyFor({});
    const sent = await call(first, 'post', 'sms/text', text({ idempotencyKey: 'one' }));
    const again = await call(second, 'post', 'sms/text', text({ idempotencyKey: 'one' }));
    expect([again.status, again.body]).toEqual([409, problem('idempotency-key-reused')]);
    const bulk = await call(second, 'post', 'sms/bulk', { messages: [text({ idempotencyKey: 'one' })] });
    expect(bulk.body).toMatchObject([{ status: 'failed', errorCode: 'idempotency-key-reused' }]);
    expect(bulk.text).not.toContain(sent.body.id);
    for (const key of [first, all])
      expect((await call(key, 'post', 'sms/text', text({ idempotencyKey: 'one' }))).body.id).toBe(
        sent.body.id,
      );
  });

  test('a repeat in the same batch does not reveal it either', async () => {
    const first = await keyFor({ channelAccountIds: [accounts.first] });
    const second = await keyFor({ channelAccountIds: [accounts.second] });
    for (let round = 0; round < 20; round += 1) {
      const body = text({ idempotencyKey: `raced ${round}` });
      const answers = await Promise.all([first, second].map((key) => call(key, 'post', 'sms/text', body)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
    }
  });
});

describe('the end of a key', () => {
  const end = () =>
    sql`update api_keys set expires_at = now() where expires_at is not null`.execute(api.database.db);
  const later = () => new Date(Date.now() + 3_600_000).toISOString();

  test('stops it in every process, though both know it', async () => {
    const key = await keyFor({ expiresAt: later() });
    const second = await api.another();
    const asks = [api.app, second].flatMap((app) => [
      () => request(app).post('/v1/notify/sms/text').set('X-Api-Key', key).send(text()),
      () =>
        request(app)
          .get('/v1/notify/messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90')
          .set('X-Api-Key', key),
      () => request(app).get('/v1/notify/messages').set('X-Api-Key', key),
      () => request(app).post('/v1/notify/fax/text').set('X-Api-Key', key).send(text()),
    ]);
    for (const ask of asks) expect((await ask()).status).not.toBe(401);
    const stored = await api.database.db.selectFrom('messages').select('id').execute();
    await end();
    for (const ask of asks) expect((await ask()).body).toEqual(problem('invalid-api-key'));
    expect(await api.database.db.selectFrom('messages').select('id').execute()).toHaveLength(stored.length);
  });

  test('takes it off the list and out of the count, and it cannot be rotated', async () => {
    const { id } = await makeKey(api.app, tenant, { expiresAt: later() });
    await end();
    expect((await asTenant('get', '/tenant/api-keys')).body).toEqual([]);
    expect((await asTenant('post', `/tenant/api-keys/${id}/rotate`)).body).toEqual(problem('not-found'));
    expect((await asTenant('delete', `/tenant/api-keys/${id}`)).body).toEqual(problem('not-found'));
  });
});
