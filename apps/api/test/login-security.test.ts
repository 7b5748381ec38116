import bcrypt from 'bcrypt';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { password, register, testApi, type TestApi } from './test-api.ts';

const logIn = (api: Pick<TestApi, 'app'>, email: string, given = password) =>
  request(api.app).post('/auth/login').send({ email, password: given });

describe('the address that logins are counted by', () => {
  const from = async (api: TestApi, forwarded: string, email: string) =>
    (await logIn(api, email).set('X-Forwarded-For', forwarded).set('Forwarded', `for=${forwarded}`)).status;

  test('is the connection’s where no proxy is trusted, whatever the client claims', async () => {
    await using api = await testApi({ loginAttemptsPerAddress: 3, trustedProxies: 0 });
    const statuses: number[] = [];
    for (let count = 1; count <= 4; count += 1)
      statuses.push(await from(api, `192.0.2.${count}`, `a${count}@example.com`));
    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});

test('a failed login compares one hash of the same cost, whether or not the address has an account', async () => {
  await using api = await testApi();
  const { email } = await register(api.app);
  const compared: string[] = [];
  const compare = (given: string, hash: string): Promise<boolean> => {
    compared.push(hash);
    return bcrypt.compare(given, hash);
  };
  const app = createApp({ ...api.parts, passwords: { ...api.parts.passwords, compare } });
  for (const given of [email, 'nobody@example.com'])
    expect((await logIn({ app }, given, 'a wrong one')).status).toBe(401);
  const { cost } = api.parts.passwords;
  expect(compared.map((hash) => bcrypt.getRounds(hash))).toEqual([cost, cost]);
  expect(new Set(compared).size).toBe(2);
});

test.each([
  [true, 'Path=/auth; HttpOnly; Secure; SameSite=Strict'],
  [false, 'Path=/auth; HttpOnly; SameSite=Strict'],
])(
  'with cookieSecure %s the refresh cookie has the same flags whenever it is set',
  async (cookieSecure, flags) => {
    await using api = await testApi({ cookieSecure });
    const { email, refreshToken, bearer } = await register(api.app);
    const answers = [
      await logIn(api, email),
      await request(api.app).post('/auth/refresh').set('Cookie', `svc_refresh=${refreshToken}`),
      await request(api.app).post('/auth/logout').set('Authorization', bearer),
    ];
    for (const { headers } of answers) {
      const set = headers['set-cookie'] as unknown as string[];
      const cookies = set.filter((cookie) => cookie.startsWith('svc_refresh='));
      expect(cookies).toEqual([expect.stringMatching(/^svc_refresh=(rt_[\w-]{43})?; /)]);
      expect(cookies[0]!.replace(/^.*?; /, '').replace(/(Max-Age|Expires)=[^;]*; /, '')).toBe(flags);
    }
  },
);
