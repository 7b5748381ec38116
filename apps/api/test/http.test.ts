import { describeApi } from '../src/docs/openapi/openapi.ts';
import { routes } from '../src/routes.ts';
import { connect } from 'node:net';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { register, testApi, type TestApi } from './test-api.ts';

const problem = (code: string) => expect.objectContaining({ code, type: `/problems/${code}` });

let api: TestApi;
let server: HttpServer;
beforeAll(async () => {
  api = await testApi();
  server = await listen(api.app, '127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

test('an answer to HEAD has no body, and does not say how long it would be', async () => {
  const tenant = await register(api.app);
  const answer = await request(api.app).head('/auth/me').set('Authorization', tenant.bearer);
  expect([answer.status, answer.type, answer.text]).toEqual([200, 'application/json', undefined]);
  expect(answer.headers).not.toHaveProperty('content-length');
});

test('a request without a host is refused with a problem', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.end('GET /auth/me HTTP/1.1\r\n\r\n');
  const answer = Buffer.concat(await socket.toArray()).toString();
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('"code":"invalid-request"');
});

test.each(['/auth/me', '/v1/notify/messages/1', '/callbacks/twilio/1/2', '/nothing'])(
  'a request to %s with two hosts is refused, whatever they say',
  async (path) => {
    for (const [version, second] of [
      ['1.1', 'Host: a'],
      ['1.1', 'hOST: b'],
      ['1.0', 'Host:'],
    ]) {
      const socket = connect(server.port, '127.0.0.1');
      socket.end(
        `GET ${path} HTTP/${version}\r\nHost: a\r\nAccept: x\r\n${second}\r\nConnection: close\r\n\r\n`,
      );
      const answer = Buffer.concat(await socket.toArray()).toString();
      expect(answer).toMatch(/^HTTP\/1.1 400 .*"detail":"The request has two Host headers."/s);
    }
  },
);

test.each([
  ['Range', 'bytes=999999-'],
  ['If-Match', '"another"'],
  ['If-Unmodified-Since', 'Mon, 01 Jan 1990 00:00:00 GMT'],
])('the style sheet comes whatever %s says', async (name, value) => {
  const answer = await request(api.app).get('/docs/style.css').set(name, value);
  expect([answer.status, answer.type]).toEqual([200, 'text/css']);
});

test('an answer never says that nothing has changed, for it has no tag to tell by', async () => {
  const tenant = await register(api.app);
  const asked = request(api.app).get('/auth/me').set('Authorization', tenant.bearer);
  const answer = await asked.set('If-None-Match', '*');
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ id: tenant.id })]);
});

test('the document says that a send above the limit of waiting messages is a 429', () => {
  const { responses } = describeApi(routes, '1').paths['/v1/notify/{channel}/text']!['post']!;
  expect(responses['429']).toEqual({ $ref: expect.stringContaining('/limit-reached.') });
  expect(responses['409']).toEqual({ $ref: expect.not.stringContaining('limit-reached') });
});

test('an unexpected failure keeps its text to itself and is logged once', async () => {
  const logged: unknown[] = [];
  const log = Object.assign(Object.create(api.parts.log), {
    tell: (event: string, facts: unknown) => event !== 'request' && logged.push(event, facts),
  });
  const broken = createApp({
    ...api.parts,
    log,
    loginLimits: { ...api.parts.loginLimits, address: () => Promise.reject(new Error('secret text')) },
  });
  const answer = await request(broken).post('/auth/login').send({ email: 'a@example.com', password: 'x' });
  expect([answer.status, answer.body]).toEqual([500, problem('internal')]);
  expect(answer.text).not.toContain('secret text');
  expect(logged).toEqual([
    'request-failed',
    { err: expect.objectContaining({ message: 'secret text' }), route: '/auth/login' },
  ]);
});

test('a database that is away is a 503 with Retry-After', async () => {
  const tenant = await register(api.app);
  const { openDb } = await import('@notify/db/connection');
  const away = openDb('postgres://nobody@127.0.0.1:1/none', { connectTimeoutMs: 1_000 });
  const app = createApp({ ...api.parts, db: away });
  const answer = await request(app).get('/auth/me').set('Authorization', tenant.bearer);
  expect([answer.status, answer.body]).toEqual([503, problem('unavailable')]);
  expect(answer.headers['retry-after']).toBe('1');
  await away.destroy();
});

test.each(['25006', '25P03', '28P01', '40P01', '55P03', '57014', 'XX000'])(
  'a database that refuses the work for now (%s) is a 503 with Retry-After, too',
  async (code) => {
    const refused = Object.assign(new Error('refused'), { code });
    const loginLimits = { ...api.parts.loginLimits, address: () => Promise.reject(refused) };
    const app = createApp({ ...api.parts, loginLimits });
    const answer = await request(app).post('/auth/login').send({ email: 'a@example.com', password: 'x' });
    expect([answer.status, answer.body]).toEqual([503, problem('unavailable')]);
    expect(answer.headers['retry-after']).toBe('1');
  },
);

test('the log has one line per request: the pattern of the route, never the path', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = Object.assign(Object.create(api.parts.log), {
    tell: (event: string, facts: Record<string, unknown>) => event === 'request' && lines.push(facts),
  });
  const app = createApp({ ...api.parts, log });
  const tenant = await register(app);
  await request(app).delete('/auth/sessions/ses_5').set('Authorization', tenant.bearer);
  await request(app).post('/callbacks/http-sms/01912d68-783e-7a52-9d3a-6c4f2b1e8a90/hunter2');
  await request(app).put('/callbacks/http-sms/01912d68-783e-7a52-9d3a-6c4f2b1e8a90');
  await request(app).get('/problems/not-found');
  await request(app).put('/auth/login');
  await request(app).put('/auth/logins');
  expect(lines).toMatchObject([
    { method: 'POST', route: '/auth/register', status: 200 },
    { method: 'DELETE', route: '/auth/sessions/:id', status: 404, tenantId: tenant.id.slice(4) },
    { method: 'POST', route: '/callbacks/:provider/:accountId/:secret', status: 404 },
    { method: 'PUT', route: '/callbacks/:provider/:accountId', status: 405 },
    { method: 'GET', route: '/problems/:code', status: 200 },
    { method: 'PUT', route: '/auth/login', status: 405 },
    { method: 'PUT', route: null, status: 404 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
