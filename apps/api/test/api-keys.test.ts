import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import request from 'supertest';
import { makeKey, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });
const unknownMessage = '/v1/notify/messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
const look = (app: TestApi['app'], key: string, path = unknownMessage) =>
  request(app).get(path).set('X-Api-Key', key);
const send = (app: TestApi['app'], key: string, channel = 'sms') =>
  request(app)
    .post(`/v1/notify/${channel}/text`)
    .set('X-Api-Key', key)
    .send({ to: '+15550001000', text: 'hi' });

test('a key is shown once, listed by its last characters, and stored as a hash', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const made = await request(api.app)
    .post('/tenant/api-keys')
    .set('Authorization', tenant.bearer)
    .send({ name: 'live', rateLimitOverride: 10_000 });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    id: expect.stringMatching(/^key_[0-9a-f-]{36}$/),
    name: 'live',
    keyPrefix: 'svc_live_',
    key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{49}$/),
    createdAt: expect.any(String),
    warning: expect.stringMatching(/./),
  });
  const list = await request(api.app).get('/tenant/api-keys').set('Authorization', tenant.bearer);
  expect(list.body).toEqual([
    {
      id: made.body.id,
      name: 'live',
      keyPrefix: 'svc_live_',
      hint: made.body.key.slice(-4),
      rateLimitOverride: 10_000,
      createdAt: made.body.createdAt,
      lastUsedAt: null,
    },
  ]);
  const stored = await api.database.db.selectFrom('api_keys').select('hash').executeTakeFirstOrThrow();
  expect(stored.hash).toEqual(createHash('sha256').update(made.body.key).digest());
});

test.each([
  [{}, 'body/name'],
  [{ name: '' }, 'body/name'],
  [{ name: 'k', rateLimitOverride: 0 }, 'body/rateLimitOverride'],
  [{ name: 'k', rateLimitOverride: 10_001 }, 'body/rateLimitOverride'],
  [{ name: 'k', rateLimitOverride: 1.5 }, 'body/rateLimitOverride'],
  [{ name: 'k', ratelimitoverride: 5 }, 'body/ratelimitoverride'],
])('%j makes no key and names %s', async (body, at) => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const answer = await request(api.app)
    .post('/tenant/api-keys')
    .set('Authorization', tenant.bearer)
    .send(body);
  expect([answer.status, answer.body.errors[0].at]).toEqual([422, at]);
});

test('a key is refused where it is missing, mistyped, unknown or revoked, and works on nothing else', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant);
  expect((await look(api.app, key)).body).toEqual(problem('not-found'));
  const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
  const stranger = (await makeKey(api.app, tenant)).key;
  await sql`delete from api_keys where hint = ${stranger.slice(-4)}`.execute(api.database.db);
  for (const wrong of ['', mistyped, stranger, tenant.accessToken]) {
    const answer = await look(api.app, wrong);
    expect([answer.status, answer.body]).toEqual([401, problem('invalid-api-key')]);
  }
  const elsewhere = await request(api.app).get('/v1/webhooks').set('X-Api-Key', key);
  expect([elsewhere.status, elsewhere.body]).toEqual([401, problem('unauthenticated')]);
  const token = await request(api.app).get(unknownMessage).set('Authorization', tenant.bearer);
  expect([token.status, token.body]).toEqual([401, problem('invalid-api-key')]);
});

test('a revoked key stops at once in every process, though both know it', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { id, key } = await makeKey(api.app, tenant);
  const second = await api.another();
  for (const app of [api.app, second]) expect((await send(app, key)).status).toBe(202);
  const revoke = () => request(api.app).delete(`/tenant/api-keys/${id}`).set('Authorization', tenant.bearer);
  expect((await revoke()).status).toBe(204);
  for (const app of [api.app, second]) {
    expect((await send(app, key)).body).toEqual(problem('invalid-api-key'));
    expect((await send(app, key, 'fax')).body).toEqual(problem('invalid-api-key'));
    expect((await look(app, key)).body).toEqual(problem('invalid-api-key'));
    const malformed = request(app).post('/v1/notify/sms/text').set('X-Api-Key', key).type('json').send('{');
    expect((await malformed).body).toEqual(problem('invalid-api-key'));
  }
  expect((await revoke()).status).toBe(404);
  const list = await request(api.app).get('/tenant/api-keys').set('Authorization', tenant.bearer);
  expect(list.body).toEqual([]);
});

test('a revoked key that another process still knows is told only that it is revoked', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { id, key } = await makeKey(api.app, tenant);
  const second = await api.another();
  expect((await look(second, key)).status).toBe(404);
  await request(api.app).delete(`/tenant/api-keys/${id}`).set('Authorization', tenant.bearer);
  expect((await look(second, key, '/v1/notify/messages/nonsense')).body).toEqual(problem('invalid-api-key'));
});

test("another tenant's key cannot be revoked or seen", async () => {
  await using api = await testApi();
  const [tenant, stranger] = [await register(api.app), await register(api.app)];
  const { id, key } = await makeKey(api.app, tenant);
  for (const path of [id, id.slice(4), id.toUpperCase(), 'key_x', '%00', '..%2F']) {
    const answer = await request(api.app)
      .delete(`/tenant/api-keys/${path}`)
      .set('Authorization', stranger.bearer);
    expect([404, 422]).toContain(answer.status);
  }
  const list = await request(api.app).get('/tenant/api-keys').set('Authorization', stranger.bearer);
  expect(list.body).toEqual([]);
  expect((await send(api.app, key)).status).toBe(202);
});

test('of many that race for the last place one gets it', async () => {
  await using api = await testApi({ maxApiKeys: 3 });
  const tenant = await register(api.app);
  await makeKey(api.app, tenant);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      request(api.app).post('/tenant/api-keys').set('Authorization', tenant.bearer).send({ name: 'n' }),
    ),
  );
  expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
    201, 201, 409, 409, 409, 409,
  ]);
  expect(answers.find((answer) => answer.status === 409)?.body).toEqual(problem('limit-reached'));
});

test('the override is the limit: headers count down, then 429 says when to come back', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant, { rateLimitOverride: 2 });
  const second = await api.another();
  const first = await look(api.app, key);
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1' });
  const sent = await send(second, key);
  expect(sent.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '0' });
  for (const app of [api.app, second]) {
    const over = await send(app, key);
    expect([over.status, over.body]).toEqual([429, problem('rate-limited')]);
    expect(over.headers['ratelimit-remaining']).toBe('0');
    const waitSeconds = Number(over.headers['retry-after']);
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(60);
    expect(over.headers['ratelimit-reset']).toBe(String(waitSeconds));
  }
});

test('limits are kept in Redis where there is one, and by the process while it is away', async () => {
  const redisUrl = process.env.TEST_REDIS_URL ?? '';
  for (const url of [redisUrl, 'redis://127.0.0.1:1']) {
    await using api = await testApi({ redisUrl: url, keyRatePerMinute: 1 });
    const tenant = await register(api.app);
    const { key } = await makeKey(api.app, tenant);
    expect((await look(api.app, key)).status).toBe(404);
    expect((await look(api.app, key)).status).toBe(429);
  }
});

test('key, rate, channel and body are looked at in this order', async () => {
  await using api = await testApi({ keyRatePerMinute: 3 });
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant);
  const malformed = (channel: string, withKey: string) =>
    request(api.app).post(`/v1/notify/${channel}/text`).set('X-Api-Key', withKey).type('json').send('{');
  expect((await malformed('fax', 'x')).body).toEqual(problem('invalid-api-key'));
  expect((await malformed('fax', key)).body).toEqual(problem('unknown-channel'));
  expect((await malformed('sms', key)).body).toEqual(problem('malformed-json'));
  const checked = await request(api.app).post('/v1/notify/sms/text').set('X-Api-Key', key).send({ text: 1 });
  expect(checked.body).toEqual(problem('invalid-request'));
  expect(checked.headers['ratelimit-remaining']).toBe('0');
  expect((await malformed('fax', key)).body).toEqual(problem('rate-limited'));
});

test('a blocked tenant sends and reads nothing, from the next request on', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant);
  expect((await send(api.app, key)).status).toBe(202);
  await api.database.db.updateTable('tenants').set({ blocked_at: new Date() }).execute();
  for (const answer of [await send(api.app, key), await look(api.app, key), await send(api.app, key)]) {
    expect([answer.status, answer.body]).toEqual([403, problem('forbidden')]);
  }
});

test.each(['off', 'block'] as const)('after the trial, with enforcement %s', async (trialEnforcement) => {
  await using api = await testApi({ trialEnforcement });
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant);
  const sent = await send(api.app, key);
  const { db } = api.database;
  await sql`update tenants set trial_ends_at = now()`.execute(db);
  const expected = trialEnforcement === 'block' ? 402 : 202;
  expect([(await send(api.app, key)).status, (await send(api.app, key)).status]).toEqual([
    expected,
    expected,
  ]);
  expect((await look(api.app, key, `/v1/notify/messages/${sent.body.id}`)).status).toBe(200);
  await sql`update tenants set plan = 'pro'`.execute(db);
  expect((await send(api.app, key)).status).toBe(202);
});

test('the use of a key is noted', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant);
  await look(api.app, key);
  const lastUsed = async () => {
    const list = await request(api.app).get('/tenant/api-keys').set('Authorization', tenant.bearer);
    return list.body[0].lastUsedAt as string | null;
  };
  let noted = await lastUsed();
  for (let tries = 0; noted === null && tries < 200; tries += 1) noted = await lastUsed();
  expect(Date.parse(noted ?? '')).toBeGreaterThan(Date.now() - 60_000);
});
