import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import request from 'supertest';
import { createApp } from '../src/app.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { makeKey, register, testApi, type TestApi } from './test-api.ts';

const answered = { healthz: answerOk, readyz: answerOk };
function answerOk(_request: unknown, response: { end(): void }): void {
  response.end();
}

const paths = [
  '/healthz',
  '/readyz',
  '/auth/me',
  '/auth/sessions',
  '/tenant/api-keys',
  '/v1/notify/messages/x',
  '/callbacks/twilio/01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
  '/nothing',
  '/%E0%A4%A',
  '/docs/style.css',
  '/docs/reference.css',
  '/docs/guides',
  '/docs/guides/reference/events',
  '/openapi.json',
  '/problems',
  '/problems/not-found',
];
/** What is the same for everybody and holds nothing secret. */
const shared = [
  '/docs/style.css',
  '/docs/reference.css',
  '/docs/guides',
  '/docs/guides/reference/events',
  '/openapi.json',
  '/problems',
  '/problems/not-found',
];

let api: TestApi;
let server: HttpServer;
let bearer: string;
beforeAll(async () => {
  api = await testApi({ cookieSecure: true });
  server = await listen(api.app, '127.0.0.1', 0);
  ({ bearer } = await register(api.app));
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

test.each(paths)('%s is answered with every header that protects it in a browser', async (path) => {
  const { headers } = await request(createApp(api.parts, answered)).get(path).set('Authorization', bearer);
  expect(headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none';.*base-uri 'none';form-action 'none';frame-ancestors 'none'/,
    ),
    'cache-control': shared.includes(path) ? 'public, max-age=300' : 'no-store',
  });
  expect(headers).not.toHaveProperty('x-powered-by');
  expect(headers).not.toHaveProperty('server');
});

test.each([
  ['get', '/v1/notify/messages/x'],
  ['post', '/v1/notify/sms/text'],
  ['post', '/callbacks/twilio/01912d68-783e-7a52-9d3a-6c4f2b1e8a90/secret'],
] as const)('%s %s is answered alike however its path is written', async (method, path) => {
  const { key } = await makeKey(api.app, await register(api.app));
  const ask = (to: string) => request(api.app)[method](to).set({ 'X-Api-Key': key, 'X-Request-Id': 'same' });
  const plain = await ask(path);
  const other = await ask(`${path.replace(/^\/\w+/, (first) => first.toUpperCase())}/`);
  const left = { date: expect.anything(), 'ratelimit-remaining': expect.anything() };
  expect([other.status, other.body]).toEqual([plain.status, plain.body]);
  expect(other.headers).toEqual({
    ...plain.headers,
    ...(path.startsWith('/v1') ? left : { date: left.date }),
  });
});

test('what hands out a credential is never kept', async () => {
  const { email, password, refreshToken } = await register(api.app);
  const answers = [
    await request(api.app).post('/auth/login').send({ email, password }),
    await request(api.app).post('/auth/refresh').send({ refreshToken }),
    await request(api.app).post('/tenant/api-keys').set('Authorization', bearer).send({ name: 'k' }),
    await request(api.app)
      .post('/v1/webhooks')
      .set('Authorization', bearer)
      .send({ url: 'https://example.com' }),
  ];
  expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
    [200, 'no-store'],
    [200, 'no-store'],
    [201, 'no-store'],
    [201, 'no-store'],
  ]);
});

test('without https nobody is told to insist on it', async () => {
  await using plain = await testApi({ cookieSecure: false });
  const { headers } = await request(plain.app).get('/auth/me');
  expect(headers).not.toHaveProperty('strict-transport-security');
});

describe('another origin', () => {
  const elsewhere = { Origin: 'https://evil.example' };

  test.each(['/auth/me', '/auth/login', '/v1/notify/sms/text', '/openapi.json'])(
    'is allowed nothing by the preflight of %s',
    async (path) => {
      const answer = await request(api.app)
        .options(path)
        .set({ ...elsewhere, 'Access-Control-Request-Method': 'POST' });
      expect(corsHeaders(answer)).toEqual([]);
    },
  );

  test('may read no answer', async () => {
    const me = request(api.app).get('/auth/me').set('Authorization', bearer);
    expect(corsHeaders(await me.set(elsewhere))).toEqual([]);
  });

  function corsHeaders({ headers }: request.Response): string[] {
    return Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  }
});

test.each([
  '/docs/../../../package.json',
  '/docs/..%2f..%2f..%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/..\\..\\package.json',
  '/docs/style.css/../../router.ts',
  '/docs/style.css%00.html',
  '/docs//etc/passwd',
  '//etc/passwd',
  '/docs/guides/..%2f..%2fdocs%2fevents.md',
  '/docs/guides/../events.md',
  '/problems/..%2f..%2fpackage',
  '/problems/__proto__',
])('%s leads to no file', async (path) => {
  // Other clients tidy dots and slashes away before they send them.
  const asked = get({ host: '127.0.0.1', port: server.port, path, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect([answer.statusCode, await json(answer)]).toEqual([
    404,
    expect.objectContaining({ code: 'not-found' }),
  ]);
});
