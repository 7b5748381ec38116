import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import express, { type Express } from 'express';
import request from 'supertest';
import { dashboardRouter } from '../src/dashboard/router.ts';
import { type HttpServer, listen } from '../src/server.ts';
import { testApi, type TestApi } from './test-api.ts';

const installation = {
  registration: 'closed',
  trialEnforcement: 'block',
  trialDays: 14,
  maxFileBytes: 1_000,
} as const;
const script = 'console.log("hello")';
let folder: string;
let app: Express;
let server: HttpServer;
let api: TestApi;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-dashboard-'));
  await mkdir(path.join(folder, 'dist/assets'), { recursive: true });
  await writeFile(path.join(folder, 'secret.js'), 'not to be had');
  const dist = path.join(folder, 'dist');
  await writeFile(
    path.join(dist, 'index.html'),
    '<script nonce="__CSP_NONCE__"></script><meta content="__INSTALLATION__"><p>page</p>',
  );
  await writeFile(path.join(dist, '.inputs'), 'digest');
  await writeFile(path.join(dist, 'favicon.svg'), '<svg/>');
  await writeFile(path.join(dist, 'third-party-licenses.txt'), 'MIT License');
  await writeFile(path.join(dist, 'assets/index-a1.js'), script);
  await writeFile(path.join(dist, 'assets/index-a1.js.gz'), gzipSync(script));
  app = express().use(dashboardRouter(installation, dist));
  server = await listen(app, '127.0.0.1', 0);
  api = await testApi();
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test.each(['/', '/overview', '/messages/msg_1', '/webhooks/wh_1', '/settings', '/login?to=%2Fkeys'])(
  '%s answers the page, which may run and load nothing that is not ours',
  async (at) => {
    const answer = await request(app).get(at);
    const nonce = /nonce="([^"]{24})"/.exec(answer.text)?.[1];
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['content-security-policy']).toBe(
      `default-src 'none';script-src 'self';style-src 'self' 'nonce-${nonce}';img-src 'self' data: blob:;` +
        "connect-src 'self';font-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
  },
);

test('every answer has its own nonce', async () => {
  const texts = [await request(app).get('/'), await request(app).get('/')].map((answer) => answer.text);
  expect(texts[0]).not.toBe(texts[1]);
  expect(texts.join('')).not.toContain('__CSP_NONCE__');
});

test('the page says what the dashboard needs to know of the installation, and none of its other settings', async () => {
  const { text: page } = await request(app).get('/register');
  const content = /<meta content="([^"]*)">/.exec(page)?.[1]?.replaceAll('&quot;', '"');
  expect(JSON.parse(content ?? '')).toEqual(installation);
  const given = { ...installation, masterKeys: 'secret', registration: 'open' } as const;
  const { text: other } = await request(express().use(dashboardRouter(given, path.join(folder, 'dist')))).get(
    '/',
  );
  expect(other).toContain('{&quot;registration&quot;:&quot;open&quot;,');
  expect(other).not.toContain('secret');
});

test('HEAD answers as GET does, without the body', async () => {
  const answer = await request(app).head('/assets/index-a1.js').set('Accept-Encoding', 'gzip');
  expect([answer.status, answer.headers['content-encoding'], answer.text]).toEqual([200, 'gzip', undefined]);
  expect((await request(app).head('/keys')).status).toBe(200);
});

test('a file named by its content is kept for ever, packed as the client can take it', async () => {
  const packed = await request(app).get('/assets/index-a1.js').set('Accept-Encoding', 'br, gzip').buffer();
  expect(packed.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    'content-length': String(gzipSync(script).length),
    vary: 'Accept-Encoding',
  });
  expect(packed.text).toBe(gunzipSync(gzipSync(script)).toString());
  const plain = await request(app).get('/assets/index-a1.js').set('Accept-Encoding', 'identity');
  expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, script]);
  const icon = await request(app).get('/favicon.svg');
  expect([icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
    'image/svg+xml',
    'public, max-age=3600',
  ]);
});

test('the licences of what the dashboard contains can be read', async () => {
  const answer = await request(app).get('/third-party-licenses.txt');
  expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
    200,
    'text/plain; charset=utf-8',
    'MIT License',
  ]);
});

test.each([
  '/assets/../../secret.js',
  '/assets/..%2f..%2fsecret.js',
  '/assets/%2e%2e/%2e%2e/secret.js',
  '/assets/..\\..\\secret.js',
  '/assets/index-a1.js%00',
  '/assets/index-a1.js.gz',
  '/.inputs',
  '/index.html',
  '/assets/',
  '/assets/gone.js',
  '/Overview',
  '/overviews',
])('%s leads to no file', async (at) => {
  // Other clients tidy dots and slashes away before they send them.
  const asked = get({ host: '127.0.0.1', port: server.port, path: at, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(404);
  expect(await text(answer)).not.toContain('not to be had');
});

test('where nothing is built the page says what to run, and is there once that is done', async () => {
  const later = path.join(folder, 'later');
  const waiting = express().use(dashboardRouter(installation, later));
  const before = await request(waiting).get('/messages');
  expect([before.status, before.text]).toEqual([200, expect.stringContaining('npm run dashboard')]);
  await mkdir(later);
  await writeFile(path.join(later, 'index.html'), '<p>built</p>');
  expect((await request(waiting).get('/messages')).text).toBe('<p>built</p>');
});

test.each(['/v1/nothing', '/auth/nothing', '/tenant/nothing', '/callbacks', '/problems/nothing'])(
  'the api goes on answering %s with a problem',
  async (at) => {
    const answer = await request(api.app).get(at).set('Accept', 'text/html');
    expect([answer.status, answer.body.code]).toEqual([404, 'not-found']);
  },
);

const asBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

test.each(['/nonsense', '/Overview', '/index.html'])(
  'a browser that opens %s gets the page, with the status 404; a program gets no page',
  async (at) => {
    const answer = await request(app).get(at).set('Accept', asBrowser);
    expect([answer.status, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(answer.text).toContain('<p>page</p>');
    const told = await request(api.app).get(at).set('Accept', '*/*');
    expect([told.status, told.body.code]).toEqual([404, 'not-found']);
  },
);

test('the api has the dashboard under its paths, for reading alone', async () => {
  const answer = await request(api.app).get('/login');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  const posted = await request(api.app).post('/login').send({});
  expect([posted.status, posted.body.code, posted.headers.allow]).toEqual([
    405,
    'method-not-allowed',
    'GET, HEAD',
  ]);
});
