import { formatId } from '@notify/core';
import request from 'supertest';
import { password, refreshCookie, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

const byCookie = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${token}`);
const me = async (api: TestApi, accessToken: string) =>
  (await request(api.app).get('/auth/me').set('Authorization', `Bearer ${accessToken}`)).status;

describe('registration', () => {
  test('answers the envelope, starts the trial, sets the cookie and makes a sandbox account on every channel', async () => {
    await using api = await testApi();
    const answer = await request(api.app)
      .post('/auth/register')
      .send({ name: 'Ada', email: 'Ada@Example.com', password });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      success: true,
      data: {
        accessToken: expect.any(String),
        expiresIn: 900,
        user: { id: expect.stringMatching(/^ten_[0-9a-f-]{36}$/), name: 'Ada', email: 'Ada@Example.com' },
      },
    });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^svc_refresh=rt_[\w-]{43}; Max-Age=2592000; Path=\/auth; HttpOnly; SameSite=Strict$/,
      ),
      expect.stringMatching(
        /^svc_device=[\w.-]+; Max-Age=31536000; Path=\/auth\/login; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const me = await request(api.app)
      .get('/auth/me')
      .set('Authorization', `Bearer ${answer.body.data.accessToken}`);
    expect(me.body).toEqual({
      id: answer.body.data.user.id,
      name: 'Ada',
      email: 'Ada@Example.com',
      plan: 'trial',
      trialEndsAt: expect.any(String),
      createdAt: expect.any(String),
    });
    expect(Date.parse(me.body.trialEndsAt) - Date.parse(me.body.createdAt)).toBe(14 * 86_400_000);
    const accounts = await api.database.db
      .selectFrom('channel_accounts')
      .select(['channel', 'provider', 'is_default'])
      .orderBy('channel')
      .execute();
    expect(accounts).toEqual(
      ['sms', 'telegram', 'whatsapp'].map((channel) => ({ channel, provider: 'sandbox', is_default: true })),
    );
  });

  test('the cookie is Secure where the setting says so, and without the sandbox there are no accounts', async () => {
    await using api = await testApi({ cookieSecure: true, sandbox: false });
    const answer = await request(api.app)
      .post('/auth/register')
      .send({ name: 'Ada', email: 'ada@example.com', password });
    const secure = expect.stringContaining('; Secure');
    expect(answer.headers['set-cookie']).toEqual([secure, secure]);
    expect(await api.database.db.selectFrom('channel_accounts').select('id').execute()).toEqual([]);
  });

  test('of many that race for one address in any case, one gets it', async () => {
    await using api = await testApi();
    const emails = ['a@example.com', 'A@example.com', 'a@EXAMPLE.com', 'a@example.com'];
    const answers = await Promise.all(
      emails.map((email) => request(api.app).post('/auth/register').send({ name: 'n', email, password })),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    expect(answers.find((answer) => answer.status === 409)?.body).toEqual(problem('email-taken'));
    expect(await api.database.db.selectFrom('tenants').select('id').execute()).toHaveLength(1);
    expect(await api.database.db.selectFrom('channel_accounts').select('id').execute()).toHaveLength(3);
  });

  test.each([
    [{ email: 'a@example.com', password }, 'body/name'],
    [{ name: '', email: 'a@example.com', password }, 'body/name'],
    [{ name: '😀'.repeat(201), email: 'a@example.com', password }, 'body/name'],
    [{ name: 'n', email: 'nobody', password }, 'body/email'],
    [{ name: 'n', email: 'a@localhost', password }, 'body/email'],
    [{ name: 'n', email: 'a@example.com', password: '1234567' }, 'body/password'],
    [{ name: 'n', email: 'a@example.com', password: 'a'.repeat(73) }, 'body/password'],
    [{ name: 'n', email: 'a@example.com', password: 'é'.repeat(37) }, 'body/password'],
    [{ name: 'n', email: 'a@example.com', password: null }, 'body/password'],
    [{ name: 'n', email: 'a@example.com', password, plan: 'gold' }, 'body/plan'],
    [{ name: 'a\u0000b', email: 'a@example.com', password }, 'body/name'],
    [[], 'body'],
  ])('refuses %j and names the field', async (body, at) => {
    await using api = await testApi();
    const answer = await request(api.app).post('/auth/register').send(body);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual(problem('invalid-request'));
    expect(answer.body.errors.map((error: { at: string }) => error.at)).toContain(at);
    expect(await api.database.db.selectFrom('tenants').select('id').execute()).toEqual([]);
  });

  test('takes 200 code points of name and 72 bytes of password', async () => {
    await using api = await testApi();
    const answer = await request(api.app)
      .post('/auth/register')
      .send({ name: '😀'.repeat(200), email: 'a@example.com', password: 'é'.repeat(36) });
    expect(answer.status).toBe(200);
  });

  test('is refused where it is closed', async () => {
    await using api = await testApi({ registration: 'closed' });
    const answer = await request(api.app)
      .post('/auth/register')
      .send({ name: 'n', email: 'a@example.com', password });
    expect([answer.status, answer.body]).toEqual([403, problem('forbidden')]);
  });

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

  test('takes the address in any case and answers as registration does', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answer = await logIn(api, tenant.email.toUpperCase());
    expect(answer.status).toBe(200);
    expect(answer.body.data.user).toEqual({ id: tenant.id, name: 'Test', email: tenant.email });
    expect(refreshCookie(answer)).toMatch(/^rt_/);
  });

  test('an unknown address and a wrong password get the same 401', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const wrong = await logIn(api, tenant.email, 'wrong password');
    const unknown = await logIn(api, 'nobody@example.com');
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const { requestId: first, ...wrongBody } = wrong.body;
    const { requestId: second, ...unknownBody } = unknown.body;
    expect(first).not.toBe(second);
    expect(wrongBody).toEqual(unknownBody);
    expect(wrongBody).toEqual(problem('invalid-credentials'));
  });

  test('is slowed per account, whoever tries, and says when to come back', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 3 });
    const tenant = await register(api.app);
    const other = await register(api.app);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await logIn(api, tenant.email.toUpperCase(), 'wrong password')).status).toBe(401);
    }
    const slowed = await logIn(api, tenant.email);
    expect([slowed.status, slowed.body]).toEqual([429, problem('rate-limited')]);
    expect(Number(slowed.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(slowed.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await logIn(api, other.email)).status).toBe(200);
  });

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

describe('the password within a session', () => {
  const change = (api: TestApi, bearer: string, currentPassword: string) =>
    request(api.app)
      .post('/auth/password')
      .set('Authorization', bearer)
      .send({ currentPassword, newPassword: password });

  test('can be given while strangers use up the logins of the account', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 2 });
    const tenant = await register(api.app);
    const guess = () =>
      request(api.app).post('/auth/login').send({ email: tenant.email, password: 'wrong password' });
    expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 429]);
    expect((await change(api, tenant.bearer, password)).status).toBe(204);
  });

  test('is not to be guessed without limit', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 2 });
    const tenant = await register(api.app);
    const guess = () => change(api, tenant.bearer, 'wrong password');
    expect([(await guess()).status, (await guess()).status, (await guess()).status]).toEqual([401, 401, 429]);
  });
});

describe('deleting the tenant', () => {
  test('needs the password, then ends sessions and keys at once and leaves the rest to the purge', async () => {
    await using api = await testApi();
    const [tenant, other] = [await register(api.app), await register(api.app)];
    const remove = (secret: string) =>
      request(api.app).delete('/auth/me').set('Authorization', tenant.bearer).send({ password: secret });
    expect((await remove('wrong password')).body).toEqual(problem('invalid-credentials'));
    const gone = await remove(password);
    expect([gone.status, refreshCookie(gone)]).toEqual([204, '']);
    expect([await me(api, tenant.accessToken), await me(api, other.accessToken)]).toEqual([401, 200]);
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(401);
    const { db } = api.database;
    const purges = await db.selectFrom('tenant_purges').select('tenant_id').execute();
    expect(purges.map((purge) => formatId('ten', purge.tenant_id))).toEqual([tenant.id]);
    expect(await db.selectFrom('channel_accounts').select('id').execute()).toHaveLength(3);
    const again = await request(api.app)
      .post('/auth/register')
      .send({ name: 'n', email: tenant.email, password });
    expect(again.status).toBe(200);
  });
});
