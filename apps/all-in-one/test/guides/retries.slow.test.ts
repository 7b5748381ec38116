import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readGuide, type RegisteredTenant, registerTenant, testWith } from '@notify/testkit';
import { describeInEach, everyLanguage, fileIn } from './languages.ts';
import { openWorld } from './world.ts';

const guide = readGuide('errors-and-retries');

const world = openWorld();

/** What the proxy does with a request: passes it on, answers itself, or loses the service's answer. */
type Fate =
  | 'pass'
  | 'lose the answer'
  | 'cut'
  | { readonly status: number; readonly retryAfter?: number; readonly code?: string };

interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** When each request came, in ms, and its body. */
  readonly requests: readonly { readonly at: number; readonly body: string }[];
}

/** A proxy before the service. Each request meets the next fate; when none is left, it passes. */
async function startProxy(fates: readonly Fate[]): Promise<Proxy> {
  const left = [...fates];
  const requests: { at: number; body: string }[] = [];
  const server = createServer((request, response) => {
    void meet(request, response, left.shift() ?? 'pass', requests).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, [Symbol.asyncDispose]: () => close(server) };
}

async function meet(
  request: IncomingMessage,
  response: ServerResponse,
  fate: Fate,
  requests: { at: number; body: string }[],
): Promise<void> {
  const body = Buffer.concat(await request.toArray()).toString();
  requests.push({ at: Date.now(), body });
  if (fate === 'cut') return void response.destroy();
  if (typeof fate === 'object') {
    const wait = fate.retryAfter === undefined ? {} : { 'Retry-After': String(fate.retryAfter) };
    if (fate.code === undefined) return void response.writeHead(fate.status, wait).end('<h1>Not now</h1>');
    const problem = { ...wait, 'Content-Type': 'application/problem+json' };
    return void response.writeHead(fate.status, problem).end(JSON.stringify({ code: fate.code }));
  }
  const headers = {
    'x-api-key': String(request.headers['x-api-key']),
    'content-type': 'application/json',
  };
  const answer = await fetch(world.url + request.url, { method: request.method ?? 'GET', headers, body });
  const text = await answer.text();
  if (fate === 'lose the answer') return void response.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

describeInEach('the loop in', (language) => {
  const file = fileIn(language, 'retry');
  const runs = async (proxy: Proxy, { apiKey }: RegisteredTenant, to: string) => {
    const env = { NOTIFY_URL: proxy.url, NOTIFY_API_KEY: apiKey, TO: to, KEY: 'order-1001-left' };
    const { status, output } = await world.workshop.run(file, guide.take(file), env);
    return { status, output: output.trim() };
  };

  test('makes one message of a send whose answer is lost, refused for now and cut', async () => {
    const tenant = await registerTenant(world.url);
    await using proxy = await startProxy([
      { status: 503, retryAfter: 2 },
      'lose the answer',
      'cut',
      { status: 429, retryAfter: 1 },
    ]);
    const { status, output } = await runs(proxy, tenant, '+14155550123');
    expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/^msg_[\w-]{36}$/) });
    expect(proxy.requests).toHaveLength(5);
    expect(new Set(proxy.requests.map(({ body }) => body)).size).toBe(1);
    expect(proxy.requests[0]?.body).toContain('order-1001-left');
    expect(proxy.requests[1]!.at - proxy.requests[0]!.at).toBeGreaterThanOrEqual(1_990);
    expect(proxy.requests[4]!.at - proxy.requests[3]!.at).toBeGreaterThanOrEqual(990);
    const { data } = await tenant.get('/v1/messages');
    expect(data.map(({ messageId }: { messageId: string }) => messageId)).toEqual([output]);
  });

  test('does not repeat what is refused for good, and prints its code', async () => {
    const tenant = await registerTenant(world.url);
    await using proxy = await startProxy([]);
    const { status, output } = await runs(proxy, tenant, '12');
    expect({ status, output }).toEqual({ status: 1, output: 'invalid-recipient' });
    expect(proxy.requests).toHaveLength(1);
  });

  test('does not wait for an hour, and prints the code', async () => {
    const tenant = await registerTenant(world.url);
    await using proxy = await startProxy([{ status: 429, retryAfter: 3_600, code: 'rate-limited' }]);
    const { status, output } = await runs(proxy, tenant, '+14155550123');
    expect({ status, output }).toEqual({ status: 1, output: 'rate-limited' });
    expect(proxy.requests).toHaveLength(1);
  });

  test('does not take an old key for a new message', async () => {
    const tenant = await registerTenant(world.url);
    await using proxy = await startProxy([]);
    await runs(proxy, tenant, '+14155550123');
    const { status, output } = await runs(proxy, tenant, '+14155550124');
    expect({ status, output }).toEqual({ status: 1, output: 'idempotency-key-reused' });
  });
});

testWith(...everyLanguage)('every program of the guide was run', () => expect(guide.unused()).toEqual([]));
