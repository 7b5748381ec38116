import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { makeCertificate, testWith } from '@notify/testkit';
import { type Proxy, startProxy } from './proxy.ts';

const test = testWith('haproxy');

/** A fake of the api: ready, with its own answer to everything else. */
interface Replica extends AsyncDisposable {
  readonly requests: IncomingMessage[];
}

async function startReplica(proxy: Proxy, address: string, answer: RequestListener): Promise<Replica> {
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.end();
    requests.push(request);
    answer(request, response);
  });
  server.listen(proxy.apiPort, address);
  await once(server, 'listening');
  return {
    requests,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Takes a whole request and ends the connection without a byte of an answer, as a killed process does. */
const dies: RequestListener = (request) => {
  request.resume().once('end', () => request.socket.destroy());
};
const answers: RequestListener = (request, response) => {
  request.resume().once('end', () => response.end('answered'));
};

/**
 * The body of the answer, or the code of the problem. The proxy closes a connection that has had an answer before, instead of
 * answering 502 on it.
 */
async function post(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { method: 'POST', body: '{}' });
    if (answer.status === 200) return await answer.text();
    return `${answer.status} ${((await answer.json()) as { code: string }).code}`;
  } catch (error) {
    return String((error as Error).cause);
  }
}

test('while no api is ready, the proxy answers as an api without a database does', async () => {
  await using proxy = await startProxy();
  const answer = await fetch(`${proxy.url}/v1/notify/sms/text`, { method: 'POST', body: '{}' });
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
  expect(answer.headers.get('content-type')).toBe('application/problem+json');
  expect(await answer.json()).toEqual({
    type: '/problems/unavailable',
    title: 'Temporarily unavailable',
    status: 503,
    code: 'unavailable',
    detail: 'No api is ready.',
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});

test('a POST that an api has taken is never repeated; a GET is', async () => {
  await using proxy = await startProxy();
  await using dying = await startReplica(proxy, '127.0.0.2', dies);
  await using living = await startReplica(proxy, '127.0.0.3', answers);
  proxy.names.set(['127.0.0.2', '127.0.0.3']);
  await proxy.has(2);
  const results: string[] = [];
  for (let count = 0; count < 20; count += 1) results.push(await post(proxy.url));
  expect(dying.requests.length).toBeGreaterThan(0);
  expect(results.filter((result) => result !== 'answered')).toHaveLength(dying.requests.length);
  expect(results.filter((result) => result === 'answered')).toHaveLength(living.requests.length);
  expect(dying.requests.length + living.requests.length).toBe(20);

  const reads = Array.from({ length: 20 }, async () => (await fetch(proxy.url)).status);
  expect(new Set(await Promise.all(reads))).toEqual(new Set([200]));
});

test('a request whose connection an api refuses goes to another api', async () => {
  await using proxy = await startProxy();
  const ended = await startReplica(proxy, '127.0.0.2', answers);
  await using living = await startReplica(proxy, '127.0.0.3', answers);
  proxy.names.set(['127.0.0.2', '127.0.0.3']);
  await proxy.has(2);
  await ended[Symbol.asyncDispose]();
  const results = await Promise.all(Array.from({ length: 20 }, () => post(proxy.url)));
  expect(new Set(results)).toEqual(new Set(['answered']));
  expect(living.requests).toHaveLength(20);
});

test('the last address that an api sees is the one that the proxy saw', async () => {
  await using proxy = await startProxy();
  await using replica = await startReplica(proxy, '127.0.0.2', answers);
  proxy.names.set(['127.0.0.2']);
  await proxy.has(1);
  await (await fetch(proxy.url, { headers: { 'x-forwarded-for': '203.0.113.9' } })).text();
  await (await fetch(proxy.url)).text();
  expect(replica.requests.map(({ headers }) => headers['x-forwarded-for'])).toEqual([
    '203.0.113.9, 127.0.0.1',
    '127.0.0.1',
  ]);
});

test('a body of 6 MB passes, and a stream of events arrives event by event', async () => {
  await using proxy = await startProxy();
  let next: () => void = () => undefined;
  await using _replica = await startReplica(proxy, '127.0.0.2', (request, response) => {
    if (request.method === 'POST') {
      void buffer(request).then(({ length }) => response.end(String(length)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
    next = () => response.write('data: 2\n\n');
  });
  proxy.names.set(['127.0.0.2']);
  await proxy.has(1);
  const large = await fetch(proxy.url, { method: 'POST', body: Buffer.alloc(6_000_000, 'x') });
  expect(await large.text()).toBe('6000000');

  const stream = await fetch(proxy.url);
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('data: 1\n\n');
  next();
  expect((await reader.read()).value).toBe('data: 2\n\n');
  await reader.cancel();
});

test('with certificates, the proxy speaks TLS and leads http to https', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-certificates-'));
  try {
    const { key, cert } = makeCertificate('IP:127.0.0.1');
    await writeFile(path.join(folder, 'notify.pem'), cert + key);
    await using proxy = await startProxy(folder);
    await using replica = await startReplica(proxy, '127.0.0.2', answers);
    proxy.names.set(['127.0.0.2']);
    await proxy.has(1);
    const [response] = (await once(httpsRequest(proxy.tlsUrl, { ca: cert }).end(), 'response')) as [
      IncomingMessage,
    ];
    expect([response.statusCode, String(await buffer(response))]).toEqual([200, 'answered']);
    const plain = await fetch(`${proxy.url}/docs?a=1`, { method: 'POST', redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([308, 'https://127.0.0.1/docs?a=1']);
    expect(replica.requests).toHaveLength(1);
  } finally {
    await rm(folder, { recursive: true });
  }
});
