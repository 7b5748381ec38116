import { formatId } from '@notify/core';
import { sql } from 'kysely';
import request from 'supertest';
import { password, refreshCookie, register, type Registered, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

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
    expect(answer.headers['set-cookie']).toEqual([expect.stringContaining('; Secure')]);
    expect(await api.database.db.selectFrom('channel_accounts').select('id').execute()).toEqual([]);
  });

  test('of many that race for one address in any case, one gets it', async () => {
    await using api = await testApi();
    const emails = ['a@example.com', 'A@example.com', 'a@EXAMPLE.com', 'a@example.com'];
    const answers = await Promise.all(
      emails.map((email) => request(api.app).post('/auth/register').send({ name: 'n', email, password })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
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

const byCookie = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${token}`);
const byBody = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').send({ refreshToken: token });
const me = async (api: TestApi, accessToken: string) =>
  (await request(api.app).get('/auth/me').set('Authorization', `Bearer ${accessToken}`)).status;

describe('refresh', () => {
  test('by cookie gives a new access token and a new cookie, with no envelope', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answer = await byCookie(api, tenant.refreshToken);
    expect([answer.status, answer.body]).toEqual([200, { accessToken: expect.any(String), expiresIn: 900 }]);
    expect(refreshCookie(answer)).toMatch(/^rt_/);
    expect(refreshCookie(answer)).not.toBe(tenant.refreshToken);
    expect(await me(api, answer.body.accessToken)).toBe(200);
  });

  test('in the body keeps the token, as often as it is used', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    for (let time = 0; time < 3; time += 1) {
      const answer = await byBody(api, tenant.refreshToken);
      expect([answer.status, refreshCookie(answer)]).toEqual([200, null]);
      expect(await me(api, answer.body.accessToken)).toBe(200);
    }
  });

  test('two tabs at once both get a good cookie, and the session goes on with either', async () => {
    await using api = await testApi();
    for (const winner of [0, 1]) {
      const tenant = await register(api.app);
      const answers = await Promise.all([
        byCookie(api, tenant.refreshToken),
        byCookie(api, tenant.refreshToken),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
      const next = await byCookie(api, refreshCookie(answers[winner]!)!);
      expect(next.status).toBe(200);
      expect((await byCookie(api, refreshCookie(next)!)).status).toBe(200);
    }
  });

  test('with a token replaced more than 30 s ago ends the session, whoever holds it', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const next = refreshCookie(await byCookie(api, tenant.refreshToken))!;
    await sql`update refresh_tokens set replaced_at = replaced_at - interval '29 seconds'`.execute(
      api.database.db,
    );
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(200);
    await sql`update refresh_tokens set replaced_at = replaced_at - interval '2 seconds'`.execute(
      api.database.db,
    );
    const reuse = await byCookie(api, tenant.refreshToken);
    expect([reuse.status, reuse.body]).toEqual([401, problem('unauthenticated')]);
    expect((await byCookie(api, next)).status).toBe(401);
    expect(await me(api, tenant.accessToken)).toBe(401);
  });

  test.each([
    ['cookie', 'body', byCookie, byBody],
    ['body', 'cookie', byBody, byCookie],
  ] as const)('first by %s and then by %s ends the session', async (_first, _second, first, second) => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answer = await first(api, tenant.refreshToken);
    expect(answer.status).toBe(200);
    const token = refreshCookie(answer) ?? tenant.refreshToken;
    expect((await second(api, token)).status).toBe(401);
    expect((await first(api, token)).status).toBe(401);
    expect(await me(api, answer.body.accessToken)).toBe(401);
  });

  test('with both present takes the cookie', async () => {
    await using api = await testApi();
    const [tenant, other] = [await register(api.app), await register(api.app)];
    const answer = await byCookie(api, tenant.refreshToken).send({ refreshToken: other.refreshToken });
    expect(answer.status).toBe(200);
    const whose = await request(api.app)
      .get('/auth/me')
      .set('Authorization', `Bearer ${answer.body.accessToken}`);
    expect(whose.body.id).toBe(tenant.id);
    expect((await byBody(api, other.refreshToken)).status).toBe(200);
  });

  test('never outlives 30 days from the login', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    await sql`update sessions set expires_at = now() + interval '1 hour'`.execute(api.database.db);
    const answer = await byCookie(api, tenant.refreshToken);
    const expires = /Expires=([^;]+)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '';
    expect(Math.abs(Date.parse(expires) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    await sql`update sessions set expires_at = now()`.execute(api.database.db);
    expect((await byCookie(api, refreshCookie(answer)!)).status).toBe(401);
    expect(await me(api, answer.body.accessToken)).toBe(401);
  });

  test.each([
    [{ Origin: 'https://evil.example' }, 403],
    [{ Origin: 'null' }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ Host: 'api.example', Origin: 'https://api.example', 'Sec-Fetch-Site': 'same-origin' }, 200],
    [{ Host: 'inner:3000', Origin: 'https://public.example' }, 200],
    [{}, 200],
  ])('by cookie with %j is %i', async (headers, status) => {
    await using api = await testApi({ publicUrl: 'https://public.example' });
    const tenant = await register(api.app);
    expect((await byCookie(api, tenant.refreshToken).set(headers)).status).toBe(status);
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(200);
  });

  test('without a token, or with one of nobody, is a 401', async () => {
    await using api = await testApi();
    expect((await request(api.app).post('/auth/refresh')).body).toEqual(problem('unauthenticated'));
    expect((await byBody(api, `rt_${'A'.repeat(43)}`)).body).toEqual(problem('unauthenticated'));
    expect((await byBody(api, '')).body).toEqual(problem('unauthenticated'));
  });

  test('a token is stored as a hash only', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const { rows } = await sql<{ text: string }>`
      select (select jsonb_agg(s)::text from sessions s) || (select jsonb_agg(r)::text from refresh_tokens r) as text`.execute(
      api.database.db,
    );
    expect(rows[0]!.text).not.toContain(tenant.refreshToken.slice(3));
    const stored = await api.database.db
      .selectFrom('tenants')
      .select('password_hash')
      .executeTakeFirstOrThrow();
    expect(stored.password_hash).toMatch(/^\$2b\$04\$/);
  });
});

describe('sessions', () => {
  const logIn = async (api: TestApi, tenant: Registered): Promise<string> => {
    const answer = await request(api.app)
      .post('/auth/login')
      .send({ email: tenant.email, password: tenant.password });
    return answer.body.data.accessToken;
  };

  test('a logout counts at once in every process, and clears the cookie', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const second = await api.another();
    expect((await request(second).get('/auth/me').set('Authorization', tenant.bearer)).status).toBe(200);
    const out = await request(api.app).post('/auth/logout').set('Authorization', tenant.bearer);
    expect([out.status, out.text]).toEqual([204, '']);
    expect(out.headers['set-cookie']).toEqual([
      'svc_refresh=; Max-Age=0; Path=/auth; HttpOnly; SameSite=Strict',
    ]);
    const after = await request(second).get('/auth/me').set('Authorization', tenant.bearer);
    expect([after.status, after.body]).toEqual([401, problem('unauthenticated')]);
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(401);
    expect((await request(api.app).post('/auth/logout').set('Authorization', tenant.bearer)).status).toBe(
      401,
    );
  });

  test('are listed, and one can be ended by its id; others cannot touch it', async () => {
    await using api = await testApi();
    const [tenant, stranger] = [await register(api.app), await register(api.app)];
    const phone = await logIn(api, tenant);
    const list = await request(api.app).get('/auth/sessions').set('Authorization', tenant.bearer);
    expect(list.body.map((session: { current: boolean }) => session.current)).toEqual([false, true]);
    expect(list.body[0]).toEqual({
      id: expect.stringMatching(/^ses_/),
      current: false,
      userAgent: null,
      address: expect.any(String),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const path = `/auth/sessions/${list.body[0].id}`;
    const foreign = await request(api.app).delete(path).set('Authorization', stranger.bearer);
    expect([foreign.status, foreign.body]).toEqual([404, problem('not-found')]);
    expect(await me(api, phone)).toBe(200);
    expect((await request(api.app).delete(path).set('Authorization', tenant.bearer)).status).toBe(204);
    expect(await me(api, phone)).toBe(401);
    expect((await request(api.app).delete(path).set('Authorization', tenant.bearer)).status).toBe(404);
    expect(
      (await request(api.app).delete('/auth/sessions/x').set('Authorization', tenant.bearer)).status,
    ).toBe(404);
  });

  test('all others end when the password changes', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const other = await logIn(api, tenant);
    const change = (body: object) =>
      request(api.app).post('/auth/password').set('Authorization', tenant.bearer).send(body);
    const wrong = await change({ currentPassword: 'wrong password', newPassword: 'a new password' });
    expect([wrong.status, wrong.body]).toEqual([401, problem('invalid-credentials')]);
    const short = await change({ currentPassword: password, newPassword: 'short' });
    expect(short.body.errors).toEqual([
      { at: 'body/newPassword', message: 'must have at least 8 characters' },
    ]);
    expect((await change({ currentPassword: password, newPassword: 'a new password' })).status).toBe(204);
    expect([await me(api, tenant.accessToken), await me(api, other)]).toEqual([200, 401]);
    const logIns = ['a new password', password].map((secret) =>
      request(api.app).post('/auth/login').send({ email: tenant.email, password: secret }),
    );
    expect((await Promise.all(logIns)).map((answer) => answer.status)).toEqual([200, 401]);
  });

  test.each([
    ['', 'nothing'],
    ['Bearer x', 'no token'],
    ['Basic eDp5', 'another scheme'],
  ])('"%s" (%s) does not authenticate', async (header) => {
    await using api = await testApi();
    const answer = await request(api.app).get('/auth/me').set('Authorization', header);
    expect([answer.status, answer.body]).toEqual([401, problem('unauthenticated')]);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
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
