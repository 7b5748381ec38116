import { describeOwnService } from '../suite/describe-own-service.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { freshEmail, newTenant, password, setCookie, setCookieNamed, type Tenant } from '../suite/tenant.ts';
import { emoji, id, inheritedNames, someText, timestamp, withoutPrefix } from '../suite/values.ts';

const service = serviceUnderTest();
const register = (body: unknown) => service.call('post', '/auth/register', { body });
const login = (body: unknown) => service.call('post', '/auth/login', { body });
const registration = () => ({ name: 'Grace Hopper', email: freshEmail(), password });

/** The claims of a JWT, unverified. */
function claimsOf(token: string): Record<string, number> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function session(user: { readonly name: string; readonly email: string }): object {
  return {
    success: true,
    data: {
      accessToken: someText,
      expiresIn: 900,
      user: { id: id('ten'), name: user.name, email: user.email },
    },
  };
}

describe('POST /auth/register', () => {
  test('answers 200 with an access token, its life in seconds and the user, in an envelope', async () => {
    const body = registration();
    const response = await register(body);
    expect(response).toMatchObject({ status: 200, body: session(body) });
  });

  test('sets the refresh cookie: HttpOnly, SameSite=Strict, on /auth, for 30 days, with 256 random bits', async () => {
    const cookie = setCookie(await register(registration()));
    expect(cookie).toMatch(/^svc_refresh=rt_[\w-]{43,}/);
    expect(cookie).toMatch(/; *HttpOnly/i);
    expect(cookie).toMatch(/; *SameSite=Strict/i);
    expect(cookie).toMatch(/; *Path=\/auth(;|$)/i);
    expect(cookie).toMatch(/; *Max-Age=2592000(;|$)/i);
  });

  test('sets the cookie of a known browser: HttpOnly, SameSite=Strict, on /auth/login, for a year', async () => {
    const cookie = setCookieNamed('svc_device', await register(registration()));
    expect(cookie).toMatch(/^svc_device=[\w.-]+;/);
    expect(cookie).toMatch(/; *HttpOnly/i);
    expect(cookie).toMatch(/; *SameSite=Strict/i);
    expect(cookie).toMatch(/; *Path=\/auth\/login(;|$)/i);
    expect(cookie).toMatch(/; *Max-Age=31536000(;|$)/i);
  });

  test('the access token is an HS256 JWT that lives 15 minutes', async () => {
    const { accessToken } = (await register(registration())).body.data;
    const header = JSON.parse(Buffer.from(accessToken.split('.')[0], 'base64url').toString());
    const { iat, exp } = claimsOf(accessToken);
    expect(header.alg).toBe('HS256');
    expect(Number(exp) - Number(iat)).toBe(900);
  });

  test.each([
    ['a name of one character', { name: 'x' }],
    ['a name of 200 code points', { name: emoji.repeat(200) }],
    ['a password of 8 characters', { password: 'x7Kq-w2p' }],
    ['a password of 8 code points beyond the basic plane', { password: emoji.repeat(8) }],
    ['a password of 72 bytes', { password: 'é'.repeat(36) }],
  ])('takes %s', async (_what, change) => {
    const response = await register({ ...registration(), ...change });
    expect(response.status).toBe(200);
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a name that is a number', { name: 7 }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 code points', { name: 'x'.repeat(201) }, 'name'],
    ['a name with NUL', { name: 'a\0b' }, 'name'],
    ['a name with a lone surrogate', { name: 'a\ud800b' }, 'name'],
    ['no email', { email: undefined }, 'email'],
    ['an email that is an object', { email: {} }, 'email'],
    ['an empty email', { email: '' }, 'email'],
    ['an email without @', { email: 'grace.example.com' }, 'email'],
    ['an email without a dot in its domain', { email: 'grace@localhost' }, 'email'],
    ['an email with NUL', { email: 'a\0@example.com' }, 'email'],
    ['no password', { password: undefined }, 'password'],
    ['a password that is null', { password: null }, 'password'],
    ['a password that is a number', { password: 12_345_678 }, 'password'],
    ['a password of 7 characters', { password: '1234567' }, 'password'],
    ['a password of 7 code points in 14 units', { password: emoji.repeat(7) }, 'password'],
    ['a password of 73 bytes', { password: `${'é'.repeat(36)}x` }, 'password'],
    ['a password with NUL', { password: 'correct\0horse' }, 'password'],
    ['a password with a lone surrogate', { password: 'correct\udc00horse' }, 'password'],
    ['a password that everybody guesses', { password: 'Password1!' }, 'password'],
    ['a password of digits in a row', { password: '12345678' }, 'password'],
    ['a password of blanks', { password: ' '.repeat(10) }, 'password'],
    ['a password that is the name', { password: 'Grace Hopper' }, 'password'],
    [
      'a password that is the email address',
      { email: 'gh@example.com', password: 'GH@example.com' },
      'password',
    ],
    ['an unknown field', { nickname: 'G' }, 'nickname'],
  ])('refuses %s, naming the field', async (_what, change, at) => {
    const response = await register({ ...registration(), ...change });
    expect(response).toMatchObject(problem('invalid-request', at));
  });

  test.each(inheritedNames)('refuses %s as an unknown field', async (name) => {
    const response = await register({ ...registration(), [name]: 'x' });
    expect(response).toMatchObject(problem('invalid-request', name));
  });

  test('refuses an email address that is taken, whatever its case', async () => {
    const first = registration();
    await register(first);
    const response = await register({ ...first, email: first.email.toUpperCase() });
    expect(response).toMatchObject(problem('email-taken'));
  });

  test('lets one of two racing registrations of an email address win, whatever its case', async () => {
    const body = registration();
    const upper = { ...body, email: body.email.toUpperCase() };
    const responses = await Promise.all([register(body), register(upper)]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('POST /auth/login', () => {
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await newTenant();
  });

  test('answers as registration does, and sets the refresh cookie', async () => {
    const response = await login({ email: tenant.email, password });
    expect(response).toMatchObject({ status: 200, body: session(tenant) });
    expect(response.body.data.user.id).toBe(tenant.id);
    expect(setCookie(response)).toMatch(/^svc_refresh=rt_[\w-]{43,}.*HttpOnly/i);
  });

  test('takes the email address in any case', async () => {
    const response = await login({ email: tenant.email.toUpperCase(), password });
    expect(response.status).toBe(200);
  });

  test('refuses a wrong password', async () => {
    const response = await login({ email: tenant.email, password: `${password}!` });
    expect(response).toMatchObject(problem('invalid-credentials'));
  });

  test('answers an unknown email exactly as a wrong password', async () => {
    const wrong = await login({ email: tenant.email, password: `${password}!` });
    const unknown = await login({ email: freshEmail(), password });
    expect({ ...unknown.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' });
    expect(unknown.status).toBe(401);
  });

  test('compares all 72 bytes of a password', async () => {
    const long = { ...registration(), password: 'x'.repeat(72) };
    await register(long);
    const response = await login({ email: long.email, password: 'x'.repeat(71) });
    expect(response).toMatchObject(problem('invalid-credentials'));
  });

  test('lets nobody in with a password that only begins like the right one', async () => {
    const long = { ...registration(), password: 'x'.repeat(72) };
    await register(long);
    const response = await login({ email: long.email, password: 'x'.repeat(73) });
    expect([401, 422]).toContain(response.status);
  });

  test.each([
    ['no email', { email: undefined }, 'email'],
    ['an email that is an array', { email: [] }, 'email'],
    ['no password', { password: undefined }, 'password'],
    ['a password that is a boolean', { password: true }, 'password'],
    ['an email with NUL', { email: 'a\0@example.com' }, 'email'],
    ['a password with a lone surrogate', { password: 'correct\ud800horse' }, 'password'],
    ['an unknown field', { remember: true }, 'remember'],
  ])('refuses %s, naming the field', async (_what, change, at) => {
    const response = await login({ email: tenant.email, password, ...change });
    expect(response).toMatchObject(problem('invalid-request', at));
  });
});

describe('GET /auth/me', () => {
  test('answers the profile, with a trial that ends 14 days after registration', async () => {
    const tenant = await newTenant();
    const { status, body } = await tenant.get('/auth/me');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: tenant.id,
      name: tenant.name,
      email: tenant.email,
      plan: 'trial',
      createdAt: timestamp,
    });
    expect(body.trialEndsAt).toEqual(timestamp);
    expect(Date.parse(body.trialEndsAt) - Date.parse(body.createdAt)).toBe(14 * 24 * 3_600_000);
  });

  test.each([
    ['an empty token', { authorization: 'Bearer ' }],
    ['another scheme', { authorization: 'Basic YTpi' }],
    ['a token that is none', { authorization: 'Bearer nonsense' }],
    ['a token of three empty parts', { authorization: 'Bearer ..' }],
  ])('refuses %s', async (_what, headers) => {
    const response = await service.call('get', '/auth/me', { headers });
    expect(response).toMatchObject(problem('unauthenticated'));
    expect(response.headers['www-authenticate']).toBe('Bearer');
  });

  test('takes a token from its header alone: not from the address, a cookie, or another scheme', async () => {
    const { accessToken: token } = await newTenant();
    const answers = [
      await service.call('get', `/auth/me?access_token=${token}&token=${token}`),
      await service.call('get', '/auth/me', { cookie: `access_token=${token}; svc_refresh=${token}` }),
      await service.call('get', '/auth/me', { headers: { authorization: `Token ${token}` } }),
      await service.call('get', '/auth/me', { headers: { authorization: token } }),
      await service.call('get', '/auth/me', { apiKey: token }),
    ];
    for (const answer of answers) expect(answer).toMatchObject(problem('unauthenticated'));
  });

  test('refuses a token whose signature is not ours, or that asks for no signature', async () => {
    const { accessToken } = await newTenant();
    const [header = '', claims = '', signature = ''] = accessToken.split('.');
    const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    const flipped = signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const token of [
      `${header}.${claims}.${flipped}`,
      `${unsigned}.${claims}.`,
      `${unsigned}.${claims}.${signature}`,
    ]) {
      const response = await service.call('get', '/auth/me', { bearer: token });
      expect(response).toMatchObject(problem('unauthenticated'));
    }
  });
});

describe('DELETE /auth/me', () => {
  const leave = (tenant: Tenant, body: unknown) =>
    service.call('delete', '/auth/me', { bearer: tenant.accessToken, body });

  test('answers 204 and takes the tenant with sessions, keys and login; the email is free again', async () => {
    const tenant = await newTenant();
    const left = await leave(tenant, { password });
    expect([left.status, setCookie(left)]).toEqual([204, expect.stringMatching(/^svc_refresh=;/)]);
    const refreshed = await service.call('post', '/auth/refresh', { cookie: tenant.refreshCookie });
    expect(refreshed).toMatchObject(problem('unauthenticated'));
    expect(await tenant.get('/auth/me')).toMatchObject(problem('unauthenticated'));
    expect(await tenant.message('msg_none')).toMatchObject(problem('invalid-api-key'));
    expect(await login({ email: tenant.email, password })).toMatchObject(problem('invalid-credentials'));
    const again = await register({ name: 'Again', email: tenant.email, password });
    expect(again.status).toBe(200);
    expect(again.body.data.user.id).not.toBe(tenant.id);
  });

  test('refuses a wrong password and keeps the tenant', async () => {
    const tenant = await newTenant();
    expect(await leave(tenant, { password: `${password}!` })).toMatchObject(problem('invalid-credentials'));
    expect((await tenant.get('/auth/me')).status).toBe(200);
  });

  test.each([
    ['no body', undefined],
    ['no password', {}],
    ['a password that is a number', { password: 7 }],
  ])('refuses %s', async (_what, body) => {
    expect(await leave(await newTenant(), body)).toMatchObject(problem('invalid-request'));
  });
});

describeOwnService('ids of tenants', () => {
  test('two tenants of one second sort by the time of their registration', async () => {
    const first = await newTenant();
    const second = await newTenant();
    expect(withoutPrefix(first.id) < withoutPrefix(second.id)).toBe(true);
  });
});
