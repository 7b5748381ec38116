import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import request from 'supertest';
import { makeKey, register, testApi, type TestApi } from './test-api.ts';
import { testWith } from '@notify/testkit';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });
const unknownMessage = '/v1/notify/messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
const look = (app: TestApi['app'], key: string, path = unknownMessage) =>
  request(app).get(path).set('X-Api-Key', key);
const send = (app: TestApi['app'], key: string, channel = 'sms') =>
  request(app)
    .post(`/v1/notify/${channel}/text`)
    .set('X-Api-Key', key)
    .send({ to: '+15550001000', text: 'hi' });

test('a key is stored as a hash of it', async () => {
  await using api = await testApi();
  const { key } = await makeKey(api.app, await register(api.app));
  const stored = await api.database.db.selectFrom('api_keys').select('hash').executeTakeFirstOrThrow();
  expect(stored.hash).toEqual(createHash('sha256').update(key).digest());
});

test('a key whose row is gone is refused', async () => {
  await using api = await testApi();
  const { key } = await makeKey(api.app, await register(api.app));
  await sql`delete from api_keys`.execute(api.database.db);
  expect((await look(api.app, key)).body).toEqual(problem('invalid-api-key'));
});

test('a revoked key stops at once in every process, though both know it', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { id, key } = await makeKey(api.app, tenant);
  const second = await api.another();
  for (const app of [api.app, second]) expect((await send(app, key)).status).toBe(202);
  await request(api.app).delete(`/tenant/api-keys/${id}`).set('Authorization', tenant.bearer).expect(204);
  for (const app of [api.app, second]) {
    expect((await send(app, key)).body).toEqual(problem('invalid-api-key'));
    expect((await send(app, key, 'fax')).body).toEqual(problem('invalid-api-key'));
    expect((await look(app, key)).body).toEqual(problem('invalid-api-key'));
    const malformed = request(app).post('/v1/notify/sms/text').set('X-Api-Key', key).type('json').send('{');
    expect((await malformed).body).toEqual(problem('invalid-api-key'));
    const messages = [{ to: '+15550001000', text: 'hi' }];
    const bulk = request(app).post('/v1/notify/sms/bulk').set('X-Api-Key', key).send({ messages });
    expect((await bulk).body).toEqual(problem('invalid-api-key'));
  }
  expect(await api.database.db.selectFrom('messages').select('id').execute()).toHaveLength(2);
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

test('the limit of a key is one for all processes', async () => {
  await using api = await testApi();
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant, { rateLimitOverride: 2 });
  const second = await api.another();
  expect((await look(api.app, key)).headers['ratelimit-remaining']).toBe('1');
  expect((await send(second, key)).headers['ratelimit-remaining']).toBe('0');
  for (const app of [api.app, second]) {
    const over = await send(app, key);
    expect([over.status, over.headers['ratelimit-remaining']]).toEqual([429, '0']);
  }
});

testWith('redis-server')(
  'limits are kept in Redis where there is one, and by the process while it is away',
  async () => {
    const redisUrl = process.env.TEST_REDIS_URL ?? '';
    for (const url of [redisUrl, 'redis://127.0.0.1:1']) {
      await using api = await testApi({ redisUrl: url, keyRatePerMinute: 1 });
      const tenant = await register(api.app);
      const { key } = await makeKey(api.app, tenant);
      expect((await look(api.app, key)).status).toBe(404);
      expect((await look(api.app, key)).status).toBe(429);
    }
  },
);

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
