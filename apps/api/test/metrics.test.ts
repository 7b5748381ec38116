import { request as httpRequest } from 'node:http';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { metrics } from '@notify/telemetry';
import { readMetrics, type Scraped } from '@notify/testkit';
import request from 'supertest';
import { listen } from '../src/server.ts';
import { makeKey, register, type TestApi, testApi } from './test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const read = async (): Promise<Scraped> => readMetrics(await metrics.registry.metrics());

/** How much a counter has grown by what `work` does. */
async function growth(
  work: () => Promise<unknown>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const before = (await read()).sum(name, labels);
  await work();
  return (await read()).sum(name, labels) - before;
}

const requests = 'notify_http_requests_total';
const route = '/v1/notify/:channel/text';

async function sender(): Promise<{ key: string; bearer: string }> {
  const tenant = await register(api.app);
  return { key: (await makeKey(api.app, tenant)).key, bearer: tenant.bearer };
}

const send = (key: string, body: object = {}, channel = 'sms') =>
  request(api.app)
    .post(`/v1/notify/${channel}/text`)
    .set('X-Api-Key', key)
    .send({ to: '+14155550123', text: 'hello', ...body });

test('a request counts by its route, status and credential', async () => {
  const { key, bearer } = await sender();
  const labels = { method: 'POST', route, status: '202', credential: 'api-key' };
  expect(await growth(() => send(key), requests, labels)).toBe(1);
  expect(await growth(() => send(key, { to: 'x' }), requests, { ...labels, status: '422' })).toBe(1);
  expect(await growth(() => send('svc_live_wrong'), requests, { ...labels, status: '401' })).toBe(1);
  const list = { method: 'GET', route: '/v1/webhooks', status: '200', credential: 'session' };
  const look = () => request(api.app).get('/v1/webhooks').set('Authorization', bearer);
  expect(await growth(look, requests, list)).toBe(1);
  const bare = { ...list, status: '401', credential: 'none' };
  expect(await growth(() => request(api.app).get('/v1/webhooks'), requests, bare)).toBe(1);
});

test('its time is measured by route and class of status', async () => {
  const { key } = await sender();
  const count = 'notify_http_request_duration_seconds_count';
  expect(await growth(() => send(key), count, { method: 'POST', route, class: '2xx' })).toBe(1);
});

test('pages and files of the dashboard count as one route', async () => {
  const page = () => request(api.app).get('/webhooks/any-webhook');
  expect(await growth(page, requests, { route: 'dashboard', status: '200' })).toBe(1);
});

test('a request is in progress until it is over', async () => {
  const { key } = await sender();
  await send(key);
  expect((await read()).sum('notify_http_requests_in_progress')).toBe(0);
});

test('a refusal by rate counts by credential', async () => {
  const tenant = await register(api.app);
  const { key } = await makeKey(api.app, tenant, { rateLimitOverride: 1 });
  await send(key);
  const labels = { credential: 'api-key' };
  expect(await growth(() => send(key), 'notify_http_rate_limited_total', labels)).toBe(1);
});

test('accepted, repeated and refused: each message counts once', async () => {
  const { key } = await sender();
  const count = (work: () => Promise<unknown>, result: string, channel = 'sms') =>
    growth(work, 'notify_accept_messages_total', { channel, result });
  const once = { idempotencyKey: 'order-1' };
  expect(await count(() => send(key, once), 'accepted')).toBe(1);
  expect(await count(() => send(key, once), 'repeated')).toBe(1);
  expect(await count(() => send(key, { ...once, text: 'other' }), 'refused')).toBe(1);
  const messages = [
    { to: '+14155550123', text: 'a' },
    { to: '+14155550124', text: 'b' },
  ];
  const bulk = () => request(api.app).post('/v1/notify/sms/bulk').set('X-Api-Key', key).send({ messages });
  expect(await count(bulk, 'accepted')).toBe(2);
  expect(await growth(bulk, 'notify_accept_batch_messages_sum', {})).toBe(2);
  expect(await growth(bulk, 'notify_accept_commit_duration_seconds_count', {})).toBe(1);
});

test('callbacks count by provider and result, unknown providers as one', async () => {
  const callback = (path: string) => () => request(api.app).post(`/callbacks/${path}`).send('{}');
  const id = crypto.randomUUID();
  const count = (path: string, provider: string) =>
    growth(callback(path), 'notify_callbacks_total', { provider, result: 'refused' });
  expect(await count(`http-sms/${id}/secret`, 'http-sms')).toBe(1);
  expect(await count(`no-such-provider/${id}`, 'unknown')).toBe(1);
});

test('nothing that a client chooses becomes a label', async () => {
  const { key } = await sender();
  const word = 'tenantsown';
  await send(`svc_live_${word}`);
  await send(key, {}, word);
  for (const path of [`/${word}`, `/v1/${word}`, `/v1/webhooks/${word}`, `/callbacks/${word}/${word}`])
    for (const method of ['get', 'post', 'delete', 'propfind'] as const)
      await request(api.app)[method](path).set('X-Request-Id', word);
  await request(api.app).get(`/docs?${word}=${word}`);
  await request(api.app).get(`/%ff${word}`);
  await request(api.app).get('/assets/none.js').set('Authorization', `Bearer ${word}`);
  const { text, samples } = await read();
  expect(text).not.toContain(word);
  expect(text).not.toContain(key);
  const own = samples.filter(({ name }) => name === requests);
  const known = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other'];
  expect(own.filter(({ labels }) => !known.includes(labels.method!))).toEqual([]);
  expect(own.some(({ labels }) => labels.method === 'other' && labels.route === 'none')).toBe(true);
});

/** Listens with `app` while `work` runs. */
async function listening(app: RequestListener, work: (port: number) => Promise<void>): Promise<void> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await work((server.address() as AddressInfo).port);
  server.closeAllConnections();
  server.close();
}

test('an event stream is open until its client leaves, and has no duration', () =>
  listening(api.app, async (port) => {
    const { bearer } = await sender();
    const opened = async () => (await read()).sum('notify_http_streams_open', { kind: 'events' });
    const client = httpRequest({ port, path: '/v1/events/stream', headers: { authorization: bearer } }).end();
    const [answer] = (await once(client, 'response')) as [{ statusCode: number }];
    expect([answer.statusCode, await opened()]).toEqual([200, 1]);
    client.on('error', () => undefined);
    client.destroy();
    while ((await opened()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    const now = await read();
    const labels = { route: '/v1/events/stream' };
    expect(now.sum('notify_http_request_duration_seconds_count', labels)).toBe(0);
    expect(now.sum(requests, { ...labels, status: '200' })).toBe(1);
    expect(now.sum('notify_http_requests_in_progress')).toBe(0);
  }));

test('bytes that are not HTTP count without a word of theirs', async () => {
  const server = await listen(api.app, '127.0.0.1', 0);
  const nonsense = async () => {
    const socket = connect(server.port, '127.0.0.1').end('NONSENSE\r\n\r\n');
    await once(socket.resume(), 'close');
  };
  expect(await growth(nonsense, requests, { method: 'other', status: '400' })).toBe(1);
  await server.close();
});

test('the public port has no metrics', async () => {
  for (const path of ['/metrics', '/metrics/', '/v1/metrics']) {
    const answer = await request(api.app).get(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.text).not.toContain('notify_');
  }
});
