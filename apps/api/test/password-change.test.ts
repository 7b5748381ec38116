import bcrypt from 'bcrypt';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { password, refreshCookie, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

const byCookie = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${token}`);
const byBody = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').send({ refreshToken: token });
const me = async (api: TestApi, accessToken: string) =>
  (await request(api.app).get('/auth/me').set('Authorization', `Bearer ${accessToken}`)).status;
const logIn = (app: TestApi['app'], email: string, secret: string) =>
  request(app).post('/auth/login').send({ email, password: secret });

describe('a change of the password', () => {
  const changed = 'battery staple horse';
  const change = (api: TestApi, bearer: string, app = api.app) =>
    request(app)
      .post('/auth/password')
      .set('Authorization', bearer)
      .send({ currentPassword: password, newPassword: changed });

  test('lets the new password in, not the old one, and ends all other sessions', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const other = await logIn(api.app, tenant.email, password);
    expect((await change(api, tenant.bearer)).status).toBe(204);
    expect(await me(api, tenant.accessToken)).toBe(200);
    expect(await me(api, other.body.data.accessToken)).toBe(401);
    expect((await logIn(api.app, tenant.email, changed)).status).toBe(200);
    expect((await logIn(api.app, tenant.email, password)).status).toBe(401);
  });

  test.each([
    [{ currentPassword: 'wrong password', newPassword: changed }, 401, undefined],
    [
      { currentPassword: password, newPassword: 'short' },
      422,
      [{ at: 'body/newPassword', message: 'must have at least 8 characters' }],
    ],
    [
      { currentPassword: password, newPassword: 'passw0rd' },
      422,
      [{ at: 'body/newPassword', message: 'must not be a common password' }],
    ],
  ])('with %j is a %i and changes nothing', async (body, status, errors) => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answer = await request(api.app)
      .post('/auth/password')
      .set('Authorization', tenant.bearer)
      .send(body);
    expect([answer.status, answer.body.errors]).toEqual([status, errors]);
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(200);
    expect((await logIn(api.app, tenant.email, password)).status).toBe(200);
  });

  test('is not needed by whoever has a common password already', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const passwordHash = await bcrypt.hash('password', 4);
    await api.database.db.updateTable('tenants').set({ password_hash: passwordHash }).execute();
    expect((await logIn(api.app, tenant.email, 'password')).status).toBe(200);
  });

  test('ends every older refresh token of the session, and hands out a new one', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const current = refreshCookie(await byCookie(api, tenant.refreshToken))!;
    const answer = await change(api, tenant.bearer);
    expect([answer.status, answer.text]).toEqual([204, '']);
    for (const old of [tenant.refreshToken, current]) {
      const refused = await byCookie(api, old);
      expect([refused.status, refused.body]).toEqual([401, problem('unauthenticated')]);
    }
    const next = await byCookie(api, refreshCookie(answer)!);
    expect([next.status, await me(api, next.body.accessToken)]).toEqual([200, 200]);
  });

  test('hands a client that refreshes in the body a token for the body', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    await byBody(api, tenant.refreshToken);
    const token = refreshCookie(await change(api, tenant.bearer))!;
    expect((await byBody(api, tenant.refreshToken)).status).toBe(401);
    expect((await byBody(api, token)).status).toBe(200);
  });

  test('does not make the session live longer', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    await sql`update sessions set expires_at = now() + interval '1 hour'`.execute(api.database.db);
    const answer = await change(api, tenant.bearer);
    const expires = /svc_refresh=.*?Expires=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
    expect(Math.abs(Date.parse(expires) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  test('counts for a login whose old password has just been checked', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const { passwords } = api.deps;
    const matches: typeof passwords.matches = async (...args) => {
      const same = await passwords.matches(...args);
      expect((await change(api, tenant.bearer)).status).toBe(204);
      return same;
    };
    const slow = createApp({ ...api.deps, passwords: { ...passwords, matches } });
    const late = await logIn(slow, tenant.email, password);
    expect([late.status, late.body]).toEqual([401, problem('invalid-credentials')]);
    const sessions = await api.database.db.selectFrom('sessions').select('id').execute();
    expect(sessions).toHaveLength(1);
  });

  test('of two that race with the same old password, one counts', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answers = await Promise.all([change(api, tenant.bearer), change(api, tenant.bearer)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
  });
});
