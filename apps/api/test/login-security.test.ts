import request from 'supertest';
import { password, refreshCookie, register, testApi, type TestApi } from './test-api.ts';

const logIn = (api: TestApi, email: string, given = password) =>
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

  test('is the one that the trusted proxy saw, not what the client had written before it', async () => {
    await using api = await testApi({ loginAttemptsPerAddress: 3, trustedProxies: 1 });
    const statuses: number[] = [];
    for (let count = 1; count <= 4; count += 1)
      statuses.push(await from(api, `192.0.2.${count}, 198.51.100.7`, `a${count}@example.com`));
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect(await from(api, '198.51.100.7, 198.51.100.8', 'b@example.com')).toBe(401);
  });
});

test('an unknown address takes as long as a wrong password: the time does not tell who has an account', async () => {
  await using api = await testApi({
    bcryptCost: 10,
    loginAttemptsPerMinute: 1_000,
    loginAttemptsPerAddress: 1_000,
  });
  const { email } = await register(api.app);
  const timed = async (given: string): Promise<number> => {
    const beganAt = performance.now();
    expect((await logIn(api, given, 'a wrong one')).status).toBe(401);
    return performance.now() - beganAt;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  // Turn by turn, so that whatever else the machine does meets both alike.
  for (let count = 0; count < 21; count += 1) {
    known.push(await timed(email));
    unknown.push(await timed(`nobody${count}@example.com`));
  }
  // Without the comparison with nobody's hash an unknown address took a tenth of the time and less.
  const ratio = median(unknown) / median(known);
  expect(ratio).toBeGreaterThan(0.6);
  expect(ratio).toBeLessThan(1.6);
});

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

test.each(['login', 'registration'])(
  'a cookie that somebody planted is not taken over by a %s',
  async (way) => {
    await using api = await testApi();
    const attacker = await register(api.app);
    const victim = way === 'login' ? await register(api.app) : null;
    const asked =
      victim === null
        ? request(api.app).post('/auth/register').send({ name: 'Eve', email: 'eve@example.com', password })
        : logIn(api, victim.email);
    const answer = await asked.set('Cookie', `svc_refresh=${attacker.refreshToken}`);
    expect(answer.status).toBe(200);
    expect(answer.body.data.user.id).not.toBe(attacker.id);
    const own = refreshCookie(answer)!;
    expect(own).toMatch(/^rt_/);
    expect(own).not.toBe(attacker.refreshToken);
    const refreshed = await request(api.app)
      .post('/auth/refresh')
      .set('Cookie', `svc_refresh=${attacker.refreshToken}`);
    const me = request(api.app).get('/auth/me').set('Authorization', `Bearer ${refreshed.body.accessToken}`);
    expect((await me).body.id).toBe(attacker.id);
  },
);

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
