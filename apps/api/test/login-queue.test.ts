import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { createPasswordQueue, type PasswordQueue } from '../src/auth/passwords/password-queue.ts';
import { createPasswords } from '../src/auth/passwords/passwords.ts';
import { makeKey, password, register, testApi, type TestApi } from './test-api.ts';

const limits = { maxRunning: 1, maxWaiting: 8, maxWaitingPerAccount: 4, maxWaitMs: 60_000 };

/** The api with its own queue, which a job of the test's keeps busy until `free` is called. */
async function busyApi(api: TestApi) {
  const inner = createPasswordQueue(limits);
  let jobs = 0;
  const queue: PasswordQueue = {
    get running() {
      return inner.running;
    },
    get waiting() {
      return inner.waiting;
    },
    run: (asker, job) =>
      inner.run(asker, () => {
        jobs += 1;
        return job();
      }),
  };
  const { promise: freed, resolve: free } = Promise.withResolvers<void>();
  const nobody = { address: '203.0.113.1', account: '', known: false, gone: new AbortController().signal };
  void inner.run(nobody, () => freed);
  const app = createApp({ ...api.parts, passwords: await createPasswords(4, queue) });
  return { app, queue, free, jobs: () => jobs };
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise(setImmediate);
}

const unavailable = expect.objectContaining({ code: 'unavailable' });
const logIn = (app: TestApi['app'], email: string, from = '192.0.2.1') =>
  request(app).post('/auth/login').set('X-Forwarded-For', from).send({ email, password });

test('logins whose clients have hung up cost no check, and somebody who waits is answered', async () => {
  await using api = await testApi({ trustedProxies: 1 });
  const tenant = await register(api.app);
  const { app, queue, free, jobs } = await busyApi(api);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const impatient = Array.from({ length: 8 }, (_, index) => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.${index}.1` };
    const login = httpRequest({ port, path: '/auth/login', method: 'POST', headers });
    login.on('error', () => undefined);
    return login.end(JSON.stringify({ email: `nobody${index}@example.com`, password }));
  });
  await until(() => queue.waiting === 8);
  for (const login of impatient) login.destroy();
  await until(() => queue.waiting === 0);
  const honest = logIn(app, tenant.email).then(({ status }) => status);
  await until(() => queue.waiting === 1);
  free();
  expect(await honest).toBe(200);
  expect(jobs()).toBe(1);
  server.close();
});

describe('while too many passwords wait to be checked', () => {
  /** Fills the queue from as many networks as have a place in it. */
  async function full(api: TestApi) {
    const busy = await busyApi(api);
    const waiting = Array.from({ length: 8 }, (_, index) =>
      logIn(busy.app, `nobody${index}@example.com`, `198.51.${index}.1`).then(({ status }) => status),
    );
    await until(() => busy.queue.waiting === 8);
    return { ...busy, waiting };
  }

  test('one more is told to come back, whether the account exists or not; those who wait get their answers', async () => {
    await using api = await testApi({ trustedProxies: 1 });
    const tenant = await register(api.app);
    const { app, free, waiting } = await full(api);
    const answers = [await logIn(app, tenant.email), await logIn(app, 'nobody@example.com')];
    for (const { status, body, headers } of answers)
      expect([status, body, headers['retry-after']]).toEqual([503, unavailable, '5']);
    const registration = await request(app)
      .post('/auth/register')
      .send({ name: 'n', email: 'new@example.com', password });
    expect([registration.status, registration.body]).toEqual([503, unavailable]);
    free();
    expect(await Promise.all(waiting)).toEqual(Array.from({ length: 8 }, () => 401));
    expect((await logIn(app, tenant.email)).status).toBe(200);
  });

  test('a browser that has been logged in, and a session, still get their turn, and sends wait for nothing', async () => {
    await using api = await testApi({ trustedProxies: 1 });
    const tenant = await register(api.app);
    const { key } = await makeKey(api.app, tenant);
    const { app, queue, free } = await full(api);
    const status = async (asked: request.Test) => (await asked).status;
    // One after the other: a login that is checked after the change of its password is refused.
    const known = status(logIn(app, tenant.email).set('Cookie', tenant.deviceCookie));
    await until(() => queue.waiting === 9);
    const changed = status(
      request(app)
        .post('/auth/password')
        .set('Authorization', tenant.bearer)
        .send({ currentPassword: password, newPassword: 'another horse battery' }),
    );
    await until(() => queue.waiting === 10);
    const sent = await request(app)
      .post('/v1/notify/sms/text')
      .set('X-Api-Key', key)
      .send({ to: '+4915112340000', text: 'hello' });
    expect(sent.status).toBe(202);
    free();
    expect(await Promise.all([known, changed])).toEqual([200, 204]);
  });
});

describe('a browser that has been logged in to the account', () => {
  const guess = (api: TestApi, email: string, cookie: string) =>
    request(api.app).post('/auth/login').set('Cookie', cookie).send({ email, password: 'wrong password' });

  test('is not locked out by the wrong passwords of others', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 2 });
    const tenant = await register(api.app);
    const statuses = [1, 2, 3].map(async () => (await guess(api, tenant.email, '')).status);
    expect((await Promise.all(statuses)).toSorted((a, b) => a - b)).toEqual([401, 401, 429]);
    expect((await logIn(api.app, tenant.email)).status).toBe(429);
    const known = await logIn(api.app, tenant.email.toUpperCase()).set('Cookie', tenant.deviceCookie);
    expect(known.status).toBe(200);
  });

  test('has no more tries than anybody else', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 2 });
    const tenant = await register(api.app);
    for (const status of [401, 401, 429])
      expect((await guess(api, tenant.email, tenant.deviceCookie)).status).toBe(status);
  });

  test('is a stranger to other accounts, and so is one with a cookie that is not ours', async () => {
    await using api = await testApi({ loginAttemptsPerMinute: 1 });
    const [tenant, other] = [await register(api.app), await register(api.app)];
    expect((await guess(api, tenant.email, '')).status).toBe(401);
    const forged = tenant.deviceCookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    for (const cookie of [other.deviceCookie, forged, 'svc_device=', `svc_device=${'A'.repeat(22)}.x`])
      expect((await guess(api, tenant.email, cookie)).status).toBe(429);
  });

  test('keeps its cookie, which tells nothing of the account', async () => {
    await using api = await testApi();
    const tenant = await register(api.app);
    const again = await logIn(api.app, tenant.email).set('Cookie', tenant.deviceCookie);
    const cookies = again.headers['set-cookie'] as unknown as string[];
    expect(cookies).toContainEqual(
      `${tenant.deviceCookie}; Max-Age=31536000; Path=/auth/login; HttpOnly; SameSite=Strict`,
    );
    expect(tenant.deviceCookie).toMatch(/^svc_device=[\w-]{22}\.[\w-]{43}$/);
  });
});
