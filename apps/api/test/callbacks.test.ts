import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import request from 'supertest';
import { freePlace } from '../src/admission/admission.ts';
import { createApp } from '../src/app.ts';
import { createCallbackHandler } from '../src/callbacks/handler.ts';
import { createStrangers } from '../src/callbacks/strangers.ts';
import type { Exchange } from '../src/http/exchange.ts';
import { listen } from '../src/server.ts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
/** The path of a callback URL of an account made for these tests. */
let path: string;
let accountId: string;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
  const account = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good' } };
  const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
  accountId = body.id;
  path = new URL(body.callbackUrl).pathname;
});
afterAll(() => service[Symbol.asyncDispose]());

/** An account that nobody has. */
const stranger = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90/x';

function report(messageId: string, status: string) {
  return JSON.stringify([{ messageId, externalId: null, part: null, status }]);
}

test('a GET reaches the adapter with its query, and its answer is sent as text', async () => {
  const { status, text, type } = await request(service.app).get(`${path}?challenge=1%262`);
  expect([status, text, type]).toEqual([200, '1&2', 'text/plain']);
});

test('bytes reach the adapter as they came, whatever they are called', async () => {
  const before = service.received.length;
  const body = report('01912d68-783e-7a52-9d3a-6c4f2b1e8a90', 'sent').replace('"part"', '\r\n "part"');
  await request(service.app)
    .post(path)
    .set('Content-Type', 'application/json; charset=x')
    .send(body)
    .expect(200);
  expect(service.received[before]).toMatchObject({ accountId, receipts: [{ status: 'sent' }] });
});

test('HEAD is answered as GET, and what it tells is not stored', async () => {
  const before = service.received.length;
  const body = report('01912d68-783e-7a52-9d3a-6c4f2b1e8a90', 'sent');
  const answer = await request(service.app).head(path).set('Content-Length', String(body.length)).send(body);
  expect([answer.status, answer.text]).toEqual([200, undefined]);
  await request(service.app).head(`${path}x`).expect(404);
  expect(service.received).toHaveLength(before);
  await request(service.app).post(path).send(body).expect(200);
  expect(service.received).toHaveLength(before + 1);
});

test('a wrong secret, none, another provider, an unknown account and what is no id are the same 404', async () => {
  const before = service.received.length;
  const secret = path.split('/').at(-1)!;
  const stray = [
    `${path}x`,
    path.slice(0, -1),
    `/callbacks/test-sms/${accountId}`,
    `/callbacks/sandbox/${accountId}/${secret}`,
    `/callbacks/test-sms/01912d68-783e-7a52-9d3a-6c4f2b1e8a90/${secret}`,
    `/callbacks/test-sms/x/${secret}`,
  ];
  const answers = await Promise.all(stray.map((url) => request(service.app).post(url).send('[]')));
  const shapes = answers.map(({ status, body }) => ({ status, ...body, requestId: '' }));
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
  expect(shapes[0]).toMatchObject({ status: 404, code: 'not-found' });
  expect(service.received).toHaveLength(before);
});

test('a provider that does not report is 404, and so is a removed account', async () => {
  const accounts = (await caller.manage('get', '/v1/channel-accounts')).body as {
    id: string;
    provider: string;
  }[];
  const sandbox = accounts.find((account) => account.provider === 'sandbox')!;
  await request(service.app).post(`/callbacks/sandbox/${sandbox.id}`).expect(404);
  const made = await caller.manage('post', '/v1/channel-accounts', {
    provider: 'test-sms',
    name: 'Gone',
    settings: { token: 'good' },
  });
  const gone = new URL(made.body.callbackUrl).pathname;
  await request(service.app).post(gone).send('[]').expect(200);
  await caller.manage('delete', `/v1/channel-accounts/${made.body.id}`).expect(204);
  await request(service.app).post(gone).send('[]').expect(404);
});

test('what the adapter cannot read is 422, other methods 405, more than 4 MB 413', async () => {
  const garbage = await request(service.app).post(path).send('garbage').expect(422);
  expect(garbage.body).toMatchObject({ code: 'invalid-request', detail: 'not a report' });
  await request(service.app).put(path).send('[]').expect(405).expect('Allow', 'GET, HEAD, POST');
  await request(service.app).delete(path).expect(405);
  const large = await request(service.app)
    .post(path)
    .type('text')
    .send('x'.repeat(4 * 1_048_576 + 1))
    .expect(413);
  expect(large.body.code).toBe('too-large');
});

test('callbacks that come together share their look-up, and each gets its own answer', async () => {
  const wanted = [
    [path, 200],
    [path.replace('test-sms', 'twilio'), 404],
    [path.replace(accountId, '01912d68-783e-7a52-9d3a-6c4f2b1e8a90'), 404],
    [path.replace(accountId, accountId.toUpperCase()), 200],
    [`${path}x`, 404],
  ] as const;
  const many = Array.from({ length: 20 }, () => wanted).flat();
  const answers = await Promise.all(many.map(([url]) => request(service.app).get(url)));
  expect(answers.map(({ status }) => status)).toEqual(many.map(([, status]) => status));
});

test('an account that reports too fast is told to slow down, others are not', async () => {
  const other = { provider: 'test-sms', name: 'Other', settings: { token: 'good' } };
  const { body } = await caller.manage('post', '/v1/channel-accounts', other).expect(201);
  const settings = { ...service.parts.settings, callbacksPerSecond: 1 };
  const app = createApp({ ...service.parts, settings });
  const answers = await Promise.all(Array.from({ length: 20 }, () => request(app).get(path)));
  const refused = answers.find((answer) => answer.status === 429);
  expect(refused?.body).toMatchObject({ code: 'rate-limited' });
  expect(refused?.headers['retry-after']).toBe('1');
  await request(app).get(new URL(body.callbackUrl).pathname).expect(200);
});

test('forged callbacks do not use up the share of the account they name', async () => {
  const settings = { ...service.parts.settings, callbacksPerSecond: 1 };
  const app = createApp({ ...service.parts, settings });
  const forged = await Promise.all(Array.from({ length: 50 }, () => request(app).get(`${path}x`)));
  expect(new Set(forged.map(({ status }) => status))).toEqual(new Set([404]));
  await request(app).get(path).expect(200);
});

test('who forges long callbacks is told to slow down; the provider is heard, from the same address too', async () => {
  const settings = { ...service.parts.settings, trustedProxies: 1 };
  const server = await listen(createApp({ ...service.parts, settings }), '127.0.0.1', 0);
  const post = async (address: string, url: string, body: string) => {
    const headers = { 'X-Forwarded-For': address };
    const sent = { method: 'POST', headers, body: body.padEnd(100_000) };
    return (await fetch(`http://127.0.0.1:${server.port}${url}`, sent)).status;
  };
  expect(await post('192.0.2.1', path, '[]')).toBe(200);
  const forge = () => post('192.0.2.1', `/callbacks/test-sms/${stranger}`, 'x');
  const statuses = new Set<number>();
  while (!statuses.has(429)) {
    const answers = await Promise.all(Array.from({ length: 30 }, forge));
    answers.forEach((status) => statuses.add(status));
  }
  expect(statuses).toEqual(new Set([404, 429]));
  expect(await post('192.0.2.1', path, '[]')).toBe(200);
  expect(await post('192.0.2.2', path, '[]')).toBe(200);
  await server.close();
});

test('a gateway that is known by its addresses is known behind proxies, and nobody else can claim them', async () => {
  const settings = {
    url: 'https://gw.example/send',
    body: { type: 'form', fields: { to: '{{to}}', text: '{{text}}' } },
    reports: { status: 'status', externalId: 'id', values: { ok: 'delivered' } },
    callbackSignature: { type: 'addresses', addresses: ['203.0.113.0/28', '2001:db8::/32'] },
  };
  const account = { provider: 'http-sms', name: 'By address', settings, verify: false };
  const { body } = await caller.manage('post', '/v1/channel-accounts', account).expect(201);
  const { pathname } = new URL(body.callbackUrl);
  const statusOf = async (trustedProxies: number, forwarded: string) => {
    const app = createApp({ ...service.parts, settings: { ...service.parts.settings, trustedProxies } });
    const call = request(app).post(pathname).set('X-Forwarded-For', forwarded).type('form');
    return (await call.send('status=ok&id=1')).status;
  };
  expect(await statusOf(1, '203.0.113.7')).toBe(200);
  expect(await statusOf(1, '198.51.100.1, 203.0.113.7')).toBe(200);
  expect(await statusOf(2, '2001:db8::7, 198.51.100.1')).toBe(200);
  expect(await statusOf(1, '203.0.113.7, 198.51.100.1')).toBe(404);
  expect(await statusOf(1, '203.0.113.16')).toBe(404);
  expect(await statusOf(0, '203.0.113.7')).toBe(404);
});

test.each([
  ['one that the process has no room for is no forgery', false, 'unavailable', 0],
  ['one of an unknown account is', true, 'not-found', 1],
])('%s', async (_what, hasRoom, code, forgeries) => {
  let suspected = 0;
  const strangers = { ...createStrangers(), suspect: () => void (suspected += 1) };
  const handle = createCallbackHandler({ ...service.parts, strangers });
  const body = Buffer.alloc(300_000, ' ');
  const callback = Object.assign(PassThrough.from([body]), {
    method: 'POST',
    url: path,
    headers: { 'content-length': String(body.length) },
    socket: { remoteAddress: '192.0.2.7' },
  }) as unknown as IncomingMessage;
  const [, , provider, ownId, secret] = path.split('/');
  const exchange = {
    request: callback,
    params: { provider, accountId: hasRoom ? stranger.split('/')[0] : ownId, secret },
    place: { ...freePlace, hold: () => hasRoom },
    asker: null,
  } as unknown as Exchange;
  await expect(handle(exchange)).rejects.toMatchObject({ code });
  expect(suspected).toBe(forgeries);
});
