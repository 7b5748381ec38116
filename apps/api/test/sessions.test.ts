import { randomBytes } from 'node:crypto';
import { loadOnly } from '@notify/runtime';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { refreshCookie, register, type Registered, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

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

  test('two tabs at once get the same cookie, and the session goes on with it', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const answers = await Promise.all([
      byCookie(api, tenant.refreshToken),
      byCookie(api, tenant.refreshToken),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    const [first, second] = answers.map(refreshCookie);
    expect(first).toMatch(/^rt_[\w-]{43}$/);
    expect(second).toBe(first);
    const next = await byCookie(api, first!);
    expect(next.status).toBe(200);
    expect((await byCookie(api, refreshCookie(next)!)).status).toBe(200);
  });

  test('with a token that was replaced twice within 30 s gives the one that is current', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const second = refreshCookie(await byCookie(api, tenant.refreshToken))!;
    const third = refreshCookie(await byCookie(api, second))!;
    expect(new Set([tenant.refreshToken, second, third]).size).toBe(3);
    const late = [await byCookie(api, tenant.refreshToken), await byCookie(api, second)];
    expect(late.map(refreshCookie)).toEqual([third, third]);
    await sql`update refresh_tokens set replaced_at = replaced_at - interval '31 seconds'`.execute(
      api.database.db,
    );
    expect((await byCookie(api, third)).status).toBe(200);
  });

  test('goes on when the JWT secret changes between two tabs', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const [added] = loadOnly({ JWT_SECRETS: `k2:${randomBytes(32).toString('base64')}` }, [
      'jwtSecrets',
    ]).jwtSecrets;
    const { settings } = api.deps;
    const jwtSecrets = [added!, ...settings.jwtSecrets];
    const rotated = createApp({ ...api.deps, settings: { ...settings, jwtSecrets } });
    const [one, other] = [
      await byCookie(api, tenant.refreshToken),
      await byCookie({ ...api, app: rotated }, tenant.refreshToken),
    ];
    for (const answer of [one, other]) {
      const next = await byCookie({ ...api, app: rotated }, refreshCookie(answer)!);
      expect([next.status, await me({ ...api, app: rotated }, next.body.accessToken)]).toEqual([200, 200]);
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

  test('are noted as used to the minute, and written no more often', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const { db } = api.database;
    const lastUsedAt = async (): Promise<string> => {
      const list = await request(api.app).get('/auth/sessions').set('Authorization', tenant.bearer);
      return list.body[0].lastUsedAt;
    };
    const version = async (): Promise<unknown> =>
      (await sql<{ xmin: unknown }>`select xmin::text as xmin from sessions`.execute(db)).rows[0]?.xmin;
    await byBody(api, tenant.refreshToken);
    await sql`update sessions set last_used_at = now() - interval '1 day'`.execute(db);
    await byBody(api, tenant.refreshToken);
    expect(await lastUsedAt()).toMatch(/:00\.000Z$/);
    expect(Date.now() - Date.parse(await lastUsedAt())).toBeLessThan(120_000);
    await sql`update sessions set last_used_at = now() + interval '1 minute'`.execute(db);
    const before = await version();
    await byBody(api, tenant.refreshToken);
    expect(await version()).toBe(before);
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
