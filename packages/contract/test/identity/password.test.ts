import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { cookieOf, newTenant, password, setCookie } from '../suite/tenant.ts';

const service = serviceUnderTest();
const login = (body: unknown) => service.call('post', '/auth/login', { body });

describe('POST /auth/password', () => {
  const changed = 'battery staple horse';

  test('answers 204 and lets the new password in, not the old one', async () => {
    const tenant = await newTenant();
    const response = await tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
    expect(response.status).toBe(204);
    expect(await login({ email: tenant.email, password })).toMatchObject(problem('invalid-credentials'));
    expect((await login({ email: tenant.email, password: changed })).status).toBe(200);
  });

  test('ends all other sessions and keeps this one', async () => {
    const tenant = await newTenant();
    const other = await login({ email: tenant.email, password });
    await tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
    expect((await tenant.get('/auth/me')).status).toBe(200);
    const me = await service.call('get', '/auth/me', { bearer: other.body.data.accessToken });
    expect(me).toMatchObject(problem('unauthenticated'));
    const refreshed = await service.call('post', '/auth/refresh', { cookie: cookieOf(other) });
    expect(refreshed).toMatchObject(problem('unauthenticated'));
  });

  test('ends the refresh tokens of this session too, and sets a new cookie', async () => {
    const tenant = await newTenant();
    const refresh = (cookie: string) => service.call('post', '/auth/refresh', { cookie });
    const current = cookieOf(await refresh(tenant.refreshCookie));
    const answer = await tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
    expect(setCookie(answer)).toMatch(/^svc_refresh=rt_[\w-]{43,}.*HttpOnly/i);
    for (const old of [tenant.refreshCookie, current])
      expect(await refresh(old)).toMatchObject(problem('unauthenticated'));
    expect((await refresh(cookieOf(answer))).status).toBe(200);
  });

  test('hands a client that refreshes in the body a token for the body', async () => {
    const tenant = await newTenant();
    const refresh = (cookie: string) =>
      service.call('post', '/auth/refresh', { body: { refreshToken: cookie.replace('svc_refresh=', '') } });
    await refresh(tenant.refreshCookie);
    const answer = await tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
    expect(await refresh(tenant.refreshCookie)).toMatchObject(problem('unauthenticated'));
    expect((await refresh(cookieOf(answer))).status).toBe(200);
  });

  test('of two that race with the same old password, one counts', async () => {
    const tenant = await newTenant();
    const change = () => tenant.post('/auth/password', { currentPassword: password, newPassword: changed });
    const answers = await Promise.all([change(), change()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401]);
  });

  test('refuses a wrong current password and changes nothing', async () => {
    const tenant = await newTenant();
    const response = await tenant.post('/auth/password', { currentPassword: changed, newPassword: changed });
    expect(response).toMatchObject(problem('invalid-credentials'));
    expect((await login({ email: tenant.email, password })).status).toBe(200);
  });

  test.each([
    ['no current password', { currentPassword: undefined }, 'currentPassword'],
    ['no new password', { newPassword: undefined }, 'newPassword'],
    ['a new password of 7 characters', { newPassword: '1234567' }, 'newPassword'],
    ['a new password of 73 bytes', { newPassword: 'x'.repeat(73) }, 'newPassword'],
    ['a new password that everybody guesses', { newPassword: 'password' }, 'newPassword'],
    ['a new password of blanks', { newPassword: ' '.repeat(10) }, 'newPassword'],
    ['a new password that is the name', { newPassword: 'ada lovelace' }, 'newPassword'],
    ['a new password with NUL', { newPassword: 'battery\0staple' }, 'newPassword'],
    ['an unknown field', { password }, 'password'],
  ])('refuses %s, naming the field', async (_what, change, at) => {
    const tenant = await newTenant();
    const body = { currentPassword: password, newPassword: changed, ...change };
    expect(await tenant.post('/auth/password', body)).toMatchObject(problem('invalid-request', at));
  });
});
