import type { Response } from 'supertest';
import { problem } from '../suite/problem.ts';
import { type Call, serviceUnderTest } from '../suite/service.ts';
import { cookieOf, freshEmail, newTenant, password, setCookie, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { someText, timestamp } from '../suite/values.ts';

const service = serviceUnderTest();
const byCookie = (cookie: string, headers: Record<string, string> = {}) =>
  service.call('post', '/auth/refresh', { cookie, headers });
const byBody = (refreshToken: unknown) => service.call('post', '/auth/refresh', { body: { refreshToken } });
const me = (accessToken: string) => service.call('get', '/auth/me', { bearer: accessToken });

/** The token inside a cookie, as a client that takes it out sends it in the body. */
function tokenOf(cookie: string): string {
  return cookie.slice('svc_refresh='.length);
}

const login = (call: Call, { email } = tenant) =>
  service.call('post', '/auth/login', { ...call, body: { email, password } });
const register = (call: Call) =>
  service.call('post', '/auth/register', { ...call, body: { name: 'Eve', email: freshEmail(), password } });

/** Another session of the tenant. */
async function newSession(of: Tenant) {
  const response = await login({}, of);
  return { accessToken: String(response.body.data.accessToken), refreshCookie: cookieOf(response) };
}

let tenant: Tenant;
/** Its cookie is put into the browsers of others. */
let planted: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
  planted = await newTenant();
});

describe('POST /auth/refresh by cookie', () => {
  test('answers 200 with a working access token, without an envelope', async () => {
    const { refreshCookie } = await newSession(tenant);
    const response = await byCookie(refreshCookie);
    expect(response).toMatchObject({ status: 200, body: { accessToken: someText, expiresIn: 900 } });
    expect(response.body).not.toHaveProperty('data');
    expect((await me(response.body.accessToken)).status).toBe(200);
  });

  test('rotates the token and sets the new one with the same attributes', async () => {
    const { refreshCookie } = await newSession(tenant);
    const response = await byCookie(refreshCookie);
    expect(setCookie(response)).toMatch(/^svc_refresh=rt_[\w-]{43,};/);
    expect(setCookie(response)).toMatch(/HttpOnly/i);
    expect(setCookie(response)).toMatch(/SameSite=Strict/i);
    expect(setCookie(response)).toMatch(/Path=\/auth(;|$)/i);
    expect(cookieOf(response)).not.toBe(refreshCookie);
    expect((await byCookie(cookieOf(response))).status).toBe(200);
  });

  test('still takes the token before, for a second tab or a lost answer', async () => {
    const { refreshCookie } = await newSession(tenant);
    await byCookie(refreshCookie);
    expect((await byCookie(refreshCookie)).status).toBe(200);
  });

  test('takes a token from two tabs at once and gives both the same new one', async () => {
    const { refreshCookie } = await newSession(tenant);
    const answers = await Promise.all([byCookie(refreshCookie), byCookie(refreshCookie)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(cookieOf(answers[1])).toBe(cookieOf(answers[0]));
  });

  test('a token used again 30 s after its rotation is refused and revokes the whole family', async () => {
    const { refreshCookie } = await newSession(tenant);
    const rotated = await byCookie(refreshCookie);
    const rotatedAt = Date.now();
    await until(Date.now, (now) => now > rotatedAt + 30_500, 60_000);
    expect(await byCookie(refreshCookie)).toMatchObject(problem('unauthenticated'));
    expect(await byCookie(cookieOf(rotated))).toMatchObject(problem('unauthenticated'));
    expect(await me(rotated.body.accessToken)).toMatchObject(problem('unauthenticated'));
  });

  test.each([
    ['another origin', { origin: 'https://elsewhere.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
  ])('is refused from %s, and nothing happens to the token', async (_what, headers) => {
    const { refreshCookie } = await newSession(tenant);
    expect(await byCookie(refreshCookie, headers)).toMatchObject(problem('forbidden'));
    expect((await byCookie(refreshCookie)).status).toBe(200);
  });

  test('is taken from its own origin', async () => {
    const { refreshCookie } = await newSession(tenant);
    const headers = { origin: new URL(service.url).origin, 'sec-fetch-site': 'same-origin' };
    expect((await byCookie(refreshCookie, headers)).status).toBe(200);
  });
});

describe('POST /auth/refresh by body', () => {
  test('answers 200 with a working access token, without an envelope', async () => {
    const { refreshCookie } = await newSession(tenant);
    const response = await byBody(tokenOf(refreshCookie));
    expect(response).toMatchObject({ status: 200, body: { accessToken: someText, expiresIn: 900 } });
    expect((await me(response.body.accessToken)).status).toBe(200);
  });

  test('does not rotate the token and sets no cookie', async () => {
    const token = tokenOf((await newSession(tenant)).refreshCookie);
    const answers = [await byBody(token), await byBody(token), await byBody(token)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(setCookie)).toEqual(['', '', '']);
  });

  test.each([
    ['an unknown token', `rt_${'A'.repeat(43)}`],
    ['a token without its prefix', 'nonsense'],
    ['an empty token', ''],
  ])('refuses %s', async (_what, token) => {
    expect(await byBody(token)).toMatchObject(problem('unauthenticated'));
  });

  test.each([
    ['a number', 7],
    ['an array', []],
    ['a string with NUL', 'rt_\0'],
    ['a string with a lone surrogate', 'rt_\ud800'],
  ])('refuses a token that is %s as invalid', async (_what, token) => {
    expect(await byBody(token)).toMatchObject(problem('invalid-request', 'refreshToken'));
  });

  test('refuses an unknown field, naming it', async () => {
    const response = await service.call('post', '/auth/refresh', { body: { refresh_token: 'rt_x' } });
    expect(response).toMatchObject(problem('invalid-request', 'refresh_token'));
  });

  test.each([
    ['no body and no cookie', undefined],
    ['an empty body and no cookie', {}],
    ['a token that is null and no cookie', { refreshToken: null }],
  ])('refuses %s', async (_what, body) => {
    expect(await service.call('post', '/auth/refresh', { body })).toMatchObject(problem('unauthenticated'));
  });
});

describe('a family of refresh tokens', () => {
  test('once refreshed by cookie, is revoked by use in the body', async () => {
    const { accessToken, refreshCookie } = await newSession(tenant);
    const rotated = cookieOf(await byCookie(refreshCookie));
    expect(await byBody(tokenOf(rotated))).toMatchObject(problem('unauthenticated'));
    expect(await byCookie(rotated)).toMatchObject(problem('unauthenticated'));
    expect(await me(accessToken)).toMatchObject(problem('unauthenticated'));
  });

  test('once refreshed by body, is revoked by use as cookie', async () => {
    const { accessToken, refreshCookie } = await newSession(tenant);
    await byBody(tokenOf(refreshCookie));
    expect(await byCookie(refreshCookie)).toMatchObject(problem('unauthenticated'));
    expect(await byBody(tokenOf(refreshCookie))).toMatchObject(problem('unauthenticated'));
    expect(await me(accessToken)).toMatchObject(problem('unauthenticated'));
  });

  test('of the cookie goes before one of the body', async () => {
    const { refreshCookie } = await newSession(tenant);
    const other = await newSession(tenant);
    const both = (cookie: string, refreshToken: string) =>
      service.call('post', '/auth/refresh', { cookie, body: { refreshToken } });
    expect((await both(refreshCookie, 'rt_nonsense')).status).toBe(200);
    const wrongCookie = await both('svc_refresh=rt_nonsense', tokenOf(other.refreshCookie));
    expect(wrongCookie).toMatchObject(problem('unauthenticated'));
    expect((await byBody(tokenOf(other.refreshCookie))).status).toBe(200);
  });
});

test.each<[string, () => Promise<Response>]>([
  ['login', () => login({ cookie: planted.refreshCookie })],
  ['registration', () => register({ cookie: planted.refreshCookie })],
])('a cookie that somebody planted is not taken over by a %s', async (_way, begin) => {
  const answer = await begin();
  expect(answer.status).toBe(200);
  expect(answer.body.data.user.id).not.toBe(planted.id);
  expect(cookieOf(answer)).toMatch(/^svc_refresh=rt_/);
  expect(cookieOf(answer)).not.toBe(planted.refreshCookie);
  const refreshed = await byCookie(planted.refreshCookie);
  expect((await me(refreshed.body.accessToken)).body.id).toBe(planted.id);
});

describe('POST /auth/logout', () => {
  test('answers 204 and clears the refresh cookie', async () => {
    const { accessToken } = await newSession(tenant);
    const response = await service.call('post', '/auth/logout', { bearer: accessToken });
    expect(response.status).toBe(204);
    expect(setCookie(response)).toMatch(/^svc_refresh=;/);
    expect(setCookie(response)).toMatch(/Path=\/auth(;|$)/i);
    expect(setCookie(response)).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/i);
  });

  test('ends the session: its access and refresh tokens stop working at once', async () => {
    const { accessToken, refreshCookie } = await newSession(tenant);
    const refreshed = await byCookie(refreshCookie);
    await service.call('post', '/auth/logout', { bearer: refreshed.body.accessToken });
    expect(await me(accessToken)).toMatchObject(problem('unauthenticated'));
    expect(await me(refreshed.body.accessToken)).toMatchObject(problem('unauthenticated'));
    expect(await byCookie(cookieOf(refreshed))).toMatchObject(problem('unauthenticated'));
  });

  test('leaves the tenant’s other sessions alone', async () => {
    const { accessToken } = await newSession(tenant);
    await service.call('post', '/auth/logout', { bearer: accessToken });
    expect((await tenant.get('/auth/me')).status).toBe(200);
  });
});

describe('GET /auth/sessions and DELETE /auth/sessions/:id', () => {
  /** Ids of the tenant's sessions. */
  async function sessionIds(of: Tenant): Promise<string[]> {
    const { body } = await of.get('/auth/sessions');
    return body.map((session: { id: string }) => session.id);
  }

  test('lists the tenant’s sessions, newest first, and tells which is the caller’s', async () => {
    const own = await newTenant();
    await newSession(own);
    const times = { createdAt: timestamp, lastUsedAt: timestamp, expiresAt: timestamp };
    const session = { id: expect.stringMatching(/^ses_/), address: someText, ...times };
    expect((await own.get('/auth/sessions')).body).toMatchObject([
      { ...session, current: false },
      { ...session, current: true },
    ]);
  });

  test('ending a session answers 204 and stops its tokens at once, and only its', async () => {
    const own = await newTenant();
    const before = await sessionIds(own);
    const other = await newSession(own);
    const added = (await sessionIds(own)).find((id) => !before.includes(id));
    expect((await own.remove(`/auth/sessions/${added}`)).status).toBe(204);
    expect(await me(other.accessToken)).toMatchObject(problem('unauthenticated'));
    expect(await byCookie(other.refreshCookie)).toMatchObject(problem('unauthenticated'));
    expect(await sessionIds(own)).toEqual(before);
  });

  test('an ended session is no longer there to end', async () => {
    const own = await newTenant();
    const before = await sessionIds(own);
    await newSession(own);
    const added = (await sessionIds(own)).find((id) => !before.includes(id));
    await own.remove(`/auth/sessions/${added}`);
    expect(await own.remove(`/auth/sessions/${added}`)).toMatchObject(problem('not-found'));
    expect(await own.remove('/auth/sessions/x')).toMatchObject(problem('not-found'));
  });
});
