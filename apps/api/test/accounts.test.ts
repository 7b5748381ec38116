import { formatId } from '@notify/core';
import request from 'supertest';
import { password, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

const byCookie = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${token}`);

describe('registration', () => {
  test('of many that race for one address leaves one tenant and its accounts', async () => {
    await using api = await testApi();
    const emails = ['a@example.com', 'A@example.com', 'a@EXAMPLE.com', 'a@example.com'];
    await Promise.all(
      emails.map((email) => request(api.app).post('/auth/register').send({ name: 'n', email, password })),
    );
    expect(await api.database.db.selectFrom('tenants').select('id').execute()).toHaveLength(1);
    expect(await api.database.db.selectFrom('channel_accounts').select('id').execute()).toHaveLength(3);
  });

  test.each([{ password: 'password' }, { email: 'nobody' }])(
    'that is refused for %j stores nothing',
    async (change) => {
      await using api = await testApi();
      const body = { name: 'n', email: 'a@example.com', password, ...change };
      expect((await request(api.app).post('/auth/register').send(body)).status).toBe(422);
      expect(await api.database.db.selectFrom('tenants').select('id').execute()).toEqual([]);
    },
  );

  test('is slowed per address of the client, before the password is hashed, and says when to come back', async () => {
    await using api = await testApi({ loginAttemptsPerAddress: 1 });
    const taken = await register(api.app);
    const slowed = await request(api.app)
      .post('/auth/register')
      .send({ name: 'n', email: taken.email, password });
    expect([slowed.status, slowed.body]).toEqual([429, problem('rate-limited')]);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
  });
});

describe('login', () => {
  const logIn = (api: TestApi, email: string, secret = password) =>
    request(api.app).post('/auth/login').send({ email, password: secret });

  test('is slowed per address of the client, in every process', async () => {
    await using api = await testApi({ loginAttemptsPerAddress: 3, trustedProxies: 1 });
    const second = await api.another();
    const from = (app: TestApi['app'], address: string, email: string) =>
      request(app).post('/auth/login').set('X-Forwarded-For', address).send({ email, password });
    expect((await from(api.app, '2001:db8::1', 'a@example.com')).status).toBe(401);
    expect((await from(second, '2001:db8::2', 'b@example.com')).status).toBe(401);
    expect((await from(api.app, '2001:db8:0:0:1::3', 'c@example.com')).status).toBe(401);
    expect((await from(second, '2001:db8::4', 'd@example.com')).status).toBe(429);
    expect((await from(second, '2001:db8:0:1::4', 'e@example.com')).status).toBe(401);
  });

  test('a blocked tenant is told so, with the right password and with a token it still has', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    await api.database.db.updateTable('tenants').set({ blocked_at: new Date() }).execute();
    expect((await logIn(api, tenant.email)).body).toEqual(problem('forbidden'));
    expect((await logIn(api, tenant.email, 'wrong password')).body).toEqual(problem('invalid-credentials'));
    const me = await request(api.app).get('/auth/me').set('Authorization', tenant.bearer);
    expect([me.status, me.body]).toEqual([403, problem('forbidden')]);
    const refreshed = await byCookie(api, tenant.refreshToken);
    expect([refreshed.status, refreshed.body]).toEqual([403, problem('forbidden')]);
  });
});

describe('deleting the tenant', () => {
  test('leaves its rows to the purge, and other tenants alone', async () => {
    await using api = await testApi();
    const [tenant, other] = [await register(api.app), await register(api.app)];
    const gone = request(api.app).delete('/auth/me').set('Authorization', tenant.bearer);
    expect((await gone.send({ password })).status).toBe(204);
    const me = await request(api.app).get('/auth/me').set('Authorization', other.bearer);
    expect(me.status).toBe(200);
    const { db } = api.database;
    const purges = await db.selectFrom('tenant_purges').select('tenant_id').execute();
    expect(purges.map((purge) => formatId('ten', purge.tenant_id))).toEqual([tenant.id]);
    expect(await db.selectFrom('channel_accounts').select('id').execute()).toHaveLength(3);
  });
});
