import bcrypt from 'bcrypt';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import type { PasswordQueue } from '../src/auth/passwords/password-queue.ts';
import { password, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

const logIn = (app: TestApi['app'], email: string, secret: string) =>
  request(app).post('/auth/login').send({ email, password: secret });

describe('a change of the password', () => {
  const changed = 'battery staple horse';
  const change = (api: TestApi, bearer: string) =>
    request(api.app)
      .post('/auth/password')
      .set('Authorization', bearer)
      .send({ currentPassword: password, newPassword: changed });

  test('is not needed by whoever has a common password already', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const passwordHash = await bcrypt.hash('password', 4);
    await api.database.db.updateTable('tenants').set({ password_hash: passwordHash }).execute();
    expect((await logIn(api.app, tenant.email, 'password')).status).toBe(200);
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
    const { passwords } = api.parts;
    const queue: PasswordQueue = {
      ...passwords.queue,
      async run(asker, check) {
        const same = await passwords.queue.run(asker, check);
        expect((await change(api, tenant.bearer)).status).toBe(204);
        return same;
      },
    };
    const slow = createApp({ ...api.parts, passwords: { ...passwords, queue } });
    const late = await logIn(slow, tenant.email, password);
    expect([late.status, late.body]).toEqual([401, problem('invalid-credentials')]);
    const sessions = await api.database.db.selectFrom('sessions').select('id').execute();
    expect(sessions).toHaveLength(1);
  });
});
