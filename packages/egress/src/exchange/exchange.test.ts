import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startHttpServer, startRawServer, type TestServer, withEnoughTime } from '@notify/testkit';
import type { HttpClient } from '../http-client.ts';
import { createHttpClient, type HttpClientOptions } from './create-client.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', ...options });
  closers.push(() => made.close());
  return made;
}

async function http(answer: RequestListener): Promise<TestServer> {
  const server = await startHttpServer(answer);
  closers.push(() => server.close());
  return server;
}

async function raw(onData: (socket: Socket) => void): Promise<TestServer> {
  const server = await startRawServer(onData);
  closers.push(() => server.close());
  return server;
}

const get = (url: string, deadlineMs = 60_000) => ({ method: 'GET', url, deadlineMs }) as const;

describe('failures before anything is written', () => {
  test('a name without addresses', async () => {
    const none = client({ lookup: async () => Promise.reject(new Error('getaddrinfo ENOTFOUND')) });
    expect(await none.request(get('http://none.example/'))).toMatchObject({ error: 'dns', written: false });
    const empty = client({ lookup: async () => [] });
    expect(await empty.request(get('http://none.example/'))).toMatchObject({ error: 'dns', written: false });
  });

  test('a look-up that never ends takes only the deadline', async () => {
    const stuck = client({ lookup: () => new Promise(() => undefined) });
    expect(await stuck.request(get('http://stuck.example/', 100))).toMatchObject({
      error: 'timeout',
      written: false,
    });
  });

  test('no server listens', async () => {
    const server = await http(() => undefined);
    server.close();
    expect(await client().request(get(server.url))).toMatchObject({ error: 'refused', written: false });
  });

  test('a peer that does not speak TLS', async () => {
    const server = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    const url = server.url.replace('http:', 'https:');
    expect(await client().request(get(url))).toMatchObject({ error: 'tls', written: false });
    const hangsUp = await raw((socket) => socket.destroy());
    expect(await client().request(get(hangsUp.url.replace('http:', 'https:')))).toMatchObject({
      error: 'tls',
      written: false,
    });
  });

  test('a peer that stalls in TLS takes only the deadline', async () => {
    const server = await raw(() => undefined);
    const result = await client().request(get(server.url.replace('http:', 'https:'), 100));
    expect(result).toMatchObject({ error: 'timeout', written: false });
  });

  test('a request that waits for a connection until its deadline is never sent', async () => {
    let seen = 0;
    const server = await http((_, response) => {
      seen += 1;
      setTimeout(() => response.end(), 300);
    });
    const one = client({ connectionsPerOrigin: 1 });
    const first = one.request(get(server.url));
    expect(await one.request(get(server.url, 50))).toMatchObject({ error: 'timeout', written: false });
    expect(await first).toMatchObject({ ok: true });
    expect(await one.request(get(server.url))).toMatchObject({ ok: true });
    expect(seen).toBe(2);
  });

  test('a header that cannot be sent, and a signal that has fired', async () => {
    const server = await http((_, response) => response.end());
    const request = { ...get(server.url), headers: { 'x-a': 'b\r\nx-c: d' } };
    expect(await client().request(request)).toMatchObject({ error: 'protocol', written: false });
    const aborted = { ...get(server.url), signal: AbortSignal.abort() };
    expect(await client().request(aborted)).toMatchObject({ error: 'aborted', written: false });
    expect(server.connections).toBe(0);
  });
});

describe('failures after the request was written', () => {
  test('a receiver that never answers takes only the deadline, and its connection is closed', async () => {
    const server = await http(() => undefined);
    const result = await withEnoughTime(
      100,
      (deadlineMs) => client().request(get(server.url, deadlineMs)),
      (answer) => !answer.ok && answer.written,
    );
    expect(result).toMatchObject({ ok: false, error: 'timeout', written: true });
    await Promise.all([...server.sockets].map((socket) => once(socket, 'close')));
    expect(server.sockets.size).toBe(0);
  });

  test('the caller aborts', async () => {
    const abort = new AbortController();
    const server = await http(() => abort.abort());
    const result = await client().request({ ...get(server.url), signal: abort.signal });
    expect(result).toMatchObject({ ok: false, error: 'aborted', written: true });
  });

  test.each<[string, string, (socket: Socket) => void]>([
    ['a reset before any answer', 'reset', (socket) => socket.resetAndDestroy()],
    ['an end before any answer', 'reset', (socket) => socket.end()],
    ['noise', 'protocol', (socket) => socket.end('what?\r\n\r\n')],
    [
      'a reset within the headers',
      'reset',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-a: b', () => socket.resetAndDestroy()),
    ],
    [
      'too many headers',
      'too-large',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    ],
  ])('%s is %s', async (_, error, onData) => {
    const server = await raw(onData);
    expect(await client().request(get(server.url))).toMatchObject({ ok: false, error, written: true });
  });

  test('endless headers are cut', async () => {
    const server = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write('x-endless: 0123456789012345678901234567890123456789\r\n'));
      };
      socket.on('drain', more);
      more();
    });
    expect(await client().request(get(server.url))).toMatchObject({
      ok: false,
      error: 'too-large',
      written: true,
    });
  });
});

describe('answers that go wrong after their headers still count as answers', () => {
  const head = 'HTTP/1.1 200 OK\r\n';

  test.each<[string, string, (socket: Socket) => void]>([
    [
      'a reset in the body',
      'part',
      (socket) =>
        socket.write(`${head}content-length: 9\r\n\r\npart`, () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
    ],
    [
      'a body shorter than its length',
      'part',
      (socket) => socket.end(`${head}content-length: 9\r\n\r\npart`),
    ],
    [
      'bad chunks',
      'part',
      (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n4\r\npart\r\nZZ\r\n`),
    ],
  ])('%s', async (_, body, onData) => {
    const server = await raw(onData);
    const result = await client().request(get(server.url));
    if (!result.ok) throw new Error(result.text);
    expect([result.status, result.truncated, result.body.toString()]).toEqual([200, true, body]);
  });

  test('a dripping body ends at the deadline', async () => {
    const server = await raw((socket) => {
      socket.write(`${head}content-length: 1000\r\n\r\n`);
      const drip = setInterval(() => socket.write('.'), 10);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await withEnoughTime(
      150,
      (deadlineMs) => client().request(get(server.url, deadlineMs)),
      ({ ok }) => ok,
    );
    expect(result).toMatchObject({ ok: true, status: 200, truncated: true });
  });

  test('an endless body is cut at the limit', async () => {
    const server = await http((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x')));
      };
      response.on('drain', more);
      more();
    });
    const result = await client().request({ ...get(server.url), maxBytes: 30_000 });
    if (!result.ok) throw new Error(result.text);
    expect([result.truncated, result.body.length]).toEqual([true, 30_000]);
  });

  test.each<[string, (plain: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('a %s bomb stays folded', async (encoding, fold) => {
    const bomb = fold(Buffer.alloc(20_000_000));
    const server = await http((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bomb),
    );
    const result = await client().request(get(server.url));
    if (!result.ok) throw new Error(result.text);
    expect(result.body).toEqual(bomb.subarray(0, 65_536));
  });

  test('a body of exactly the limit is whole', async () => {
    const server = await http((_, response) => response.end(Buffer.alloc(1_000)));
    expect(await client().request({ ...get(server.url), maxBytes: 1_000 })).toMatchObject({
      truncated: false,
    });
    expect(await client().request({ ...get(server.url), maxBytes: 999 })).toMatchObject({ truncated: true });
  });
});
