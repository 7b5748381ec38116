import { randomBytes } from 'node:crypto';
import { loadOnly } from '@notify/runtime';
import { sql } from 'kysely';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { refreshCookie, register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

const byCookie = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${token}`);
const byBody = (api: TestApi, token: string) =>
  request(api.app).post('/auth/refresh').send({ refreshToken: token });
const me = async (api: TestApi, accessToken: string) =>
  (await request(api.app).get('/auth/me').set('Authorization', `Bearer ${accessToken}`)).status;

describe('refresh', () => {
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
    const { settings } = api.parts;
    const jwtSecrets = [added!, ...settings.jwtSecrets];
    const rotated = createApp({ ...api.parts, settings: { ...settings, jwtSecrets } });
    const [one, other] = [
      await byCookie(api, tenant.refreshToken),
      await byCookie({ ...api, app: rotated }, tenant.refreshToken),
    ];
    for (const answer of [one, other]) {
      const next = await byCookie({ ...api, app: rotated }, refreshCookie(answer)!);
      expect([next.status, await me({ ...api, app: rotated }, next.body.accessToken)]).toEqual([200, 200]);
    }
  });

  test('takes a token that was replaced 29 s ago, and none that was 31 s ago', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    await byCookie(api, tenant.refreshToken);
    await sql`update refresh_tokens set replaced_at = replaced_at - interval '29 seconds'`.execute(
      api.database.db,
    );
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(200);
    await sql`update refresh_tokens set replaced_at = replaced_at - interval '2 seconds'`.execute(
      api.database.db,
    );
    expect((await byCookie(api, tenant.refreshToken)).status).toBe(401);
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
    { Host: 'api.example', Origin: 'https://api.example', 'Sec-Fetch-Site': 'same-origin' },
    { Host: 'inner:3000', Origin: 'https://public.example' },
  ])('by cookie is taken behind a proxy that sends %j', async (headers) => {
    await using api = await testApi({ publicUrl: 'https://public.example' });
    const tenant = await register(api.app);
    expect((await byCookie(api, tenant.refreshToken).set(headers)).status).toBe(200);
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
  test('a logout counts at once in every process', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const second = await api.another();
    expect((await request(second).get('/auth/me').set('Authorization', tenant.bearer)).status).toBe(200);
    await request(api.app).post('/auth/logout').set('Authorization', tenant.bearer).expect(204);
    const after = await request(second).get('/auth/me').set('Authorization', tenant.bearer);
    expect([after.status, after.body]).toEqual([401, problem('unauthenticated')]);
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
});
