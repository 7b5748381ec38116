import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import request from 'supertest';
import { register, type Registered, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

let api: TestApi;
let tenant: Registered;
beforeAll(async () => {
  api = await testApi({ trustedProxies: 1 });
  tenant = await register(api.app);
});
afterAll(() => api[Symbol.asyncDispose]());

async function makeToken(scopes: readonly string[], options: object = {}, owner = tenant) {
  const answer = await request(api.app)
    .post('/tenant/service-tokens')
    .set('Authorization', owner.bearer)
    .send({ name: 'test', scopes, ...options });
  if (answer.status !== 201) throw new Error(`token: ${answer.status} ${answer.text}`);
  return { id: answer.body.id as string, token: answer.body.token as string };
}

function listKeys(token: string, from?: string) {
  const asked = request(api.app).get('/tenant/api-keys').set('Authorization', `Bearer ${token}`);
  return from === undefined ? asked : asked.set('X-Forwarded-For', from);
}

test('a token is stored as a hash of it', async () => {
  const { id, token } = await makeToken(['keys:read']);
  const stored = await api.database.db
    .selectFrom('service_tokens')
    .select('hash')
    .where('id', '=', id.slice('tok_'.length))
    .executeTakeFirstOrThrow();
  expect(stored.hash).toEqual(createHash('sha256').update(token).digest());
  expect(token).toMatch(/^svc_tok_[0-9A-Za-z]{49}$/);
});

test('a revoked token stops with the next request in every process', async () => {
  const { id, token } = await makeToken(['keys:read']);
  const second = await api.another();
  const ask = (app = api.app) => request(app).get('/tenant/api-keys').set('Authorization', `Bearer ${token}`);
  expect([(await ask()).status, (await ask(second)).status]).toEqual([200, 200]);
  await request(api.app)
    .delete(`/tenant/service-tokens/${id}`)
    .set('Authorization', tenant.bearer)
    .expect(204);
  for (const answer of [await ask(), await ask(second)])
    expect([answer.status, answer.body]).toEqual([401, problem('unauthenticated')]);
  const listed = await request(api.app).get('/tenant/service-tokens').set('Authorization', tenant.bearer);
  expect(listed.body.map((one: { id: string }) => one.id)).not.toContain(id);
});

test('a token for some addresses works from nowhere else', async () => {
  const { token } = await makeToken(['keys:read'], { allowedIps: ['203.0.113.9/24', '2001:db8::1'] });
  const from = (address: string) => listKeys(token, address);
  for (const address of ['203.0.113.200', '::ffff:203.0.113.1', '2001:db8::1', '2001:DB8:0::1'])
    expect([address, (await from(address)).status]).toEqual([address, 200]);
  for (const address of ['203.0.114.1', '2001:db8::2', '127.0.0.1', 'nonsense']) {
    const answer = await from(address);
    expect([address, answer.status, answer.body.code]).toEqual([address, 403, 'forbidden']);
  }
  expect((await listKeys(token)).status).toBe(403);
});

test('the last use of a token is stored, at most once a minute', async () => {
  const { id, token } = await makeToken(['keys:read']);
  const { db } = api.database;
  const lastUse = async () =>
    (
      await db
        .selectFrom('service_tokens')
        .select('last_used_at')
        .where('id', '=', id.slice('tok_'.length))
        .executeTakeFirstOrThrow()
    ).last_used_at;
  expect(await lastUse()).toBeNull();
  await listKeys(token);
  while ((await lastUse()) === null) await new Promise((resolve) => setTimeout(resolve, 10));
  const first = await lastUse();
  await listKeys(token);
  await listKeys(token);
  expect(await lastUse()).toEqual(first);
  await sql`update service_tokens set last_used_at = now() - interval '61 seconds'`.execute(db);
  await listKeys(token);
  while ((await lastUse())!.getTime() < first!.getTime())
    await new Promise((resolve) => setTimeout(resolve, 10));
});

test('the requests of a token have their own rate', async () => {
  await using limited = await testApi({ sessionRatePerMinute: 4 });
  const owner = await register(limited.app);
  const made = await request(limited.app)
    .post('/tenant/service-tokens')
    .set('Authorization', owner.bearer)
    .send({ name: 'x', scopes: ['keys:read'] });
  const ask = (authorization: string) =>
    request(limited.app).get('/tenant/api-keys').set('Authorization', authorization);
  for (let count = 0; count < 4; count += 1)
    expect((await ask(`Bearer ${made.body.token}`)).status).toBe(200);
  expect((await ask(`Bearer ${made.body.token}`)).status).toBe(429);
  expect((await ask(owner.bearer)).status).toBe(200);
});

test('requests that are refused for their scope or address count against that rate', async () => {
  await using limited = await testApi({ sessionRatePerMinute: 1 });
  for (const narrowing of [
    { scopes: ['events:read'] },
    { scopes: ['keys:read'], allowedIps: ['203.0.113.7'] },
  ]) {
    const owner = await register(limited.app);
    const made = await request(limited.app)
      .post('/tenant/service-tokens')
      .set('Authorization', owner.bearer)
      .send({ name: 'x', ...narrowing });
    const ask = () =>
      request(limited.app).get('/tenant/api-keys').set('Authorization', `Bearer ${made.body.token}`);
    expect([(await ask()).status, (await ask()).status]).toEqual([403, 429]);
  }
});

test('a token that ends after the year 9999 is refused, and the field is named', async () => {
  const answer = await request(api.app)
    .post('/tenant/service-tokens')
    .set('Authorization', tenant.bearer)
    .send({ name: 'x', scopes: ['keys:read'], expiresAt: '9999-12-31T23:59:59-23:59' });
  expect([answer.status, answer.body.errors[0].at]).toEqual([422, 'body/expiresAt']);
});

test('the standing of the tenant counts for its tokens', async () => {
  await using blocking = await testApi({ trialEnforcement: 'block' });
  const owner = await register(blocking.app);
  const made = await request(blocking.app)
    .post('/tenant/service-tokens')
    .set('Authorization', owner.bearer)
    .send({ name: 'x', scopes: ['messages:send'] });
  const send = () =>
    request(blocking.app)
      .post('/v1/messages')
      .set('Authorization', `Bearer ${made.body.token}`)
      .send({ channel: 'sms', to: '+15550001000', text: 'hi' });
  expect((await send()).status).toBe(202);
  await sql`update tenants set trial_ends_at = now()`.execute(blocking.database.db);
  expect((await send()).body).toEqual(problem('trial-expired'));
  await sql`update tenants set plan = 'pro', blocked_at = now()`.execute(blocking.database.db);
  expect((await send()).body).toEqual(problem('forbidden'));
});

test('a tenant has at most as many tokens as the setting says, also when calls race', async () => {
  await using small = await testApi({ maxServiceTokens: 2 });
  const owner = await register(small.app);
  const make = () =>
    request(small.app)
      .post('/tenant/service-tokens')
      .set('Authorization', owner.bearer)
      .send({ name: 'x', scopes: ['keys:read'] });
  const answers = await Promise.all([make(), make(), make(), make()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409]);
  await request(small.app)
    .delete(`/tenant/service-tokens/${answers.find(({ status }) => status === 201)!.body.id}`)
    .set('Authorization', owner.bearer);
  expect((await make()).status).toBe(201);
});

test.each(['revoked', 'expired'])('a stream of events ends once its token is %s', async (how) => {
  const { id, token } = await makeToken(['events:read']);
  const server = (await import('node:http')).createServer(api.app).listen(0);
  try {
    const { port } = server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/v1/events/stream`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    const bare = id.slice('tok_'.length);
    if (how === 'revoked')
      await sql`update service_tokens set revoked_at = now() where id = ${bare}`.execute(api.database.db);
    else await sql`update service_tokens set expires_at = now() where id = ${bare}`.execute(api.database.db);
    for await (const _ of response.body!) void _;
  } finally {
    server.close();
  }
});
