import { sql } from 'kysely';
import request from 'supertest';
import { makeKey, register, type Registered, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

let api: TestApi;
let tenant: Registered;
beforeEach(async () => {
  api = await testApi({ maxApiKeys: 3 });
  tenant = await register(api.app);
});
afterEach(() => api[Symbol.asyncDispose]());

const rotate = (id: string, body?: object, bearer = tenant.bearer) =>
  request(api.app)
    .post(`/tenant/api-keys/${id}/rotate`)
    .set('Authorization', bearer)
    .send(body ?? {});
const listed = async (): Promise<request.Response['body'][]> =>
  (await request(api.app).get('/tenant/api-keys').set('Authorization', tenant.bearer)).body;
const revoke = (id: string) =>
  request(api.app).delete(`/tenant/api-keys/${id}`).set('Authorization', tenant.bearer);
const statusWith = async (key: string) =>
  (
    await request(api.app)
      .post('/v1/notify/sms/text')
      .set('X-Api-Key', key)
      .send({ to: '+15550001000', text: 'hi' })
  ).status;
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
async function makeToken(options: object): Promise<string> {
  const answer = await request(api.app)
    .post('/tenant/service-tokens')
    .set('Authorization', tenant.bearer)
    .send({ name: 'x', scopes: ['keys:write'], ...options });
  return `Bearer ${answer.body.token}`;
}

test('both keys work during the overlap, the old one shows its successor, and can be revoked', async () => {
  const old = await makeKey(api.app, tenant);
  const made = await rotate(old.id, { overlapSeconds: 600 });
  expect([await statusWith(old.key), await statusWith(made.body.key)]).toEqual([202, 202]);
  const [shown, successor] = await listed();
  expect(shown).toMatchObject({ id: old.id, replacedBy: made.body.id });
  expect(successor).toMatchObject({ id: made.body.id, replacedBy: null, expiresAt: null });
  const leftMs = Date.parse(shown.expiresAt) - Date.now();
  expect(leftMs).toBeGreaterThan(590_000);
  expect(leftMs).toBeLessThan(610_000);
  expect((await revoke(old.id)).status).toBe(204);
  expect([await statusWith(old.key), await statusWith(made.body.key)]).toEqual([401, 202]);
});

test('the overlap never extends a key', async () => {
  const expiresAt = inAnHour();
  const old = await makeKey(api.app, tenant, { expiresAt });
  await rotate(old.id, { overlapSeconds: 604_800 });
  expect((await listed()).map((key) => key.expiresAt)).toEqual([expiresAt, expiresAt]);
});

test('the old key stops at the end of the overlap, in a process that knows it', async () => {
  const old = await makeKey(api.app, tenant);
  expect(await statusWith(old.key)).toBe(202);
  const beganAt = Date.now();
  await rotate(old.id, { overlapSeconds: 1 });
  while ((await statusWith(old.key)) === 202) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await statusWith(old.key)).toBe(401);
  expect(Date.now() - beganAt).toBeGreaterThanOrEqual(1_000);
});

test('a key is replaced once, however many rotations race', async () => {
  const old = await makeKey(api.app, tenant);
  const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(old.id, { overlapSeconds: 60 })));
  const made = answers.filter(({ status }) => status === 201);
  expect(made).toHaveLength(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect([answer.status, answer.body]).toEqual([409, problem('not-changeable')]);
    expect(answer.body.detail).toContain(made[0]!.body.id);
  }
  expect(await listed()).toHaveLength(2);
});

test('without an overlap, a rotation that comes too late finds no key', async () => {
  const old = await makeKey(api.app, tenant);
  const answers = await Promise.all(Array.from({ length: 4 }, () => rotate(old.id)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404, 404]);
});

test('a revocation that races a rotation leaves no old key working', async () => {
  for (let round = 0; round < 5; round += 1) {
    const old = await makeKey(api.app, tenant);
    const [rotated, revoked] = await Promise.all([rotate(old.id, { overlapSeconds: 60 }), revoke(old.id)]);
    expect([201, 404]).toContain(rotated.status);
    expect(revoked.status).toBe(204);
    expect(await statusWith(old.key)).toBe(401);
    if (rotated.status === 201) await revoke(rotated.body.id);
  }
});

test('a tenant at its limit can rotate, as often as it can have keys', async () => {
  let { id } = await makeKey(api.app, tenant);
  await makeKey(api.app, tenant);
  await makeKey(api.app, tenant);
  const another = () =>
    request(api.app).post('/tenant/api-keys').set('Authorization', tenant.bearer).send({ name: 'x' });
  expect((await another()).body).toEqual(problem('limit-reached'));
  for (let count = 0; count < 3; count += 1) {
    const made = await rotate(id, { overlapSeconds: 600 });
    expect(made.status).toBe(201);
    ({ id } = made.body);
  }
  expect((await rotate(id, { overlapSeconds: 600 })).body).toEqual(problem('limit-reached'));
  expect((await another()).body).toEqual(problem('limit-reached'));
});

test('another tenant’s key cannot be rotated', async () => {
  const { id } = await makeKey(api.app, tenant);
  const stranger = await register(api.app);
  expect((await rotate(id, {}, stranger.bearer)).status).toBe(404);
  expect(await listed()).toHaveLength(1);
});

describe('a key that a token makes', () => {
  const create = (bearer: string, body: object = {}) =>
    request(api.app)
      .post('/tenant/api-keys')
      .set('Authorization', bearer)
      .send({ name: 'x', ...body });

  test('has the end and the addresses of the token by default', async () => {
    const expiresAt = inAnHour();
    const token = await makeToken({ expiresAt, allowedIps: ['127.0.0.1', '10.0.0.0/8'] });
    const made = await create(token);
    expect(made.body).toMatchObject({ expiresAt, allowedIps: ['127.0.0.1/32', '10.0.0.0/8'] });
    const inside = { expiresAt: new Date(Date.now() + 60_000).toISOString(), allowedIps: ['10.1.2.0/24'] };
    expect((await create(token, inside)).body).toMatchObject(inside);
  });

  test.each([
    ['expiresAt', { expiresAt: new Date(Date.now() + 86_400_000).toISOString() }],
    ['allowedIps', { allowedIps: ['10.0.0.0/7'] }],
    ['allowedIps', { allowedIps: ['10.0.0.1', '192.168.0.1'] }],
    ['allowedIps', { allowedIps: ['::/0'] }],
  ])('cannot exceed its %s', async (field, body) => {
    const token = await makeToken({ expiresAt: inAnHour(), allowedIps: ['127.0.0.1', '10.0.0.0/8'] });
    const answer = await create(token, body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [expect.objectContaining({ at: `body/${field}` })],
    ]);
  });

  test('by rotation does not exceed it either', async () => {
    const expiresAt = inAnHour();
    const token = await makeToken({ expiresAt, allowedIps: ['127.0.0.1'] });
    const open = await makeKey(api.app, tenant);
    expect((await rotate(open.id, {}, token)).body).toMatchObject({
      expiresAt,
      allowedIps: ['127.0.0.1/32'],
    });
    const wider = await makeKey(api.app, tenant, {
      allowedIps: ['127.0.0.0/8'],
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const refused = await rotate(wider.id, {}, token);
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [
        { at: 'path/id', message: expect.stringContaining('expiresAt') },
        { at: 'path/id', message: expect.stringContaining('allowedIps') },
      ],
    ]);
    expect(await statusWith(wider.key)).toBe(202);
  });

  test('is free of limits that the token does not have', async () => {
    const made = await create(await makeToken({}), { allowedIps: ['::/0'] });
    expect(made.body).toMatchObject({ expiresAt: null, allowedIps: ['::/0'] });
  });
});

test('keys and tokens are removed 30 days after their end', async () => {
  const { db } = api.database;
  await makeKey(api.app, tenant, { name: 'kept', expiresAt: inAnHour() });
  await makeKey(api.app, tenant, { name: 'gone', expiresAt: inAnHour() });
  await makeToken({ name: 'gone', expiresAt: inAnHour() });
  await makeToken({ name: 'kept' });
  await sql`update api_keys set expires_at = now() - interval '31 days' where name = 'gone'`.execute(db);
  await sql`update service_tokens set expires_at = now() - interval '31 days' where name = 'gone'`.execute(
    db,
  );
  const { removeExpired } = await import('@notify/db/maintenance');
  expect(await removeExpired(db, { idempotencyDays: 7 })).toMatchObject({ keys: 1, tokens: 1 });
  const left = await sql<{ name: string }>`
    select name from api_keys union all select name from service_tokens`.execute(db);
  expect(left.rows.map(({ name }) => name)).toEqual(['kept', 'kept']);
});
