import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createHttpClient, type HttpClientOptions } from './create-client.ts';
import type { HttpClient } from './http-client.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(options: Partial<HttpClientOptions> = {}): HttpClient {
  const made = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', ...options });
  closers.push(() => made.close());
  return made;
}

interface Listening {
  readonly url: string;
  readonly port: number;
  readonly sockets: Set<Socket>;
  /** Connections ever accepted. */
  connections: number;
}

async function listen(server: Server): Promise<Listening> {
  const listening = { url: '', port: 0, sockets: new Set<Socket>(), connections: 0 };
  server.on('connection', (socket) => {
    listening.connections += 1;
    listening.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => listening.sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  closers.push(() => {
    for (const socket of listening.sockets) socket.destroy();
    server.close();
  });
  return Object.assign(listening, { url: `http://127.0.0.1:${port}`, port });
}

const http = (answer: RequestListener) => listen(createHttpServer(answer));
/** A raw server that says `text` as soon as it has read something. */
const raw = (onData: (socket: Socket) => void) =>
  listen(createServer((socket) => socket.once('data', () => onData(socket))));

const get = (url: string, deadlineMs = 5_000) => ({ method: 'GET', url, deadlineMs }) as const;

test('a post arrives byte for byte, with its exact length, our headers and no content coding asked for', async () => {
  const server = await http((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(201, { 'x-a': ['1', '2'] });
      response.end(
        JSON.stringify({
          headers: request.headers,
          body: Buffer.concat(chunks).toString('hex'),
          url: request.url,
        }),
      );
    });
  });
  const body = Buffer.from('{"text":"é😀\u2028"}\u0000\n');
  const result = await client().request({
    method: 'POST',
    url: `${server.url}/a%20b?c=d#e`,
    headers: { 'Content-Type': 'application/json' },
    body,
    deadlineMs: 5_000,
  });
  if (!result.ok) throw new Error(result.text);
  expect(result).toMatchObject({ status: 201, truncated: false, headers: { 'x-a': '1, 2' } });
  const seen = JSON.parse(result.body.toString());
  expect(seen).toMatchObject({
    url: '/a%20b?c=d',
    body: body.toString('hex'),
    headers: {
      'content-length': String(body.length),
      'content-type': 'application/json',
      'user-agent': 'Test/1',
      'accept-encoding': 'identity',
      host: `127.0.0.1:${server.port}`,
    },
  });
  expect(seen.headers).not.toHaveProperty('transfer-encoding');
});

test('connections are kept alive and never more than allowed for one origin', async () => {
  let open = 0;
  let most = 0;
  const server = await http((_, response) => {
    open += 1;
    most = Math.max(most, open);
    setImmediate(() => {
      open -= 1;
      response.end();
    });
  });
  const http3 = client({ connectionsPerOrigin: 3 });
  for (let i = 0; i < 5; i += 1) await http3.request(get(server.url));
  expect(server.connections).toBeLessThan(5);
  const results = await Promise.all(Array.from({ length: 40 }, () => http3.request(get(server.url))));
  expect(results.every((result) => result.ok)).toBe(true);
  expect(server.connections).toBeLessThanOrEqual(3);
  expect(most).toBeLessThanOrEqual(3);
});

test('a redirect is an answer; nobody goes there', async () => {
  const canary = await http((_, response) => response.end());
  const server = await http((_, response) => response.writeHead(302, { location: canary.url }).end());
  expect(await client().request(get(server.url))).toMatchObject({
    ok: true,
    status: 302,
    headers: { location: canary.url },
  });
  expect(canary.connections).toBe(0);
});

describe('guard', () => {
  const publicAddress = { address: '192.0.2.1', family: 4 };
  const loopback = { address: '127.0.0.1', family: 4 };

  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
  ])('an address in the URL is judged though nothing looks it up: %s', async (host) => {
    const canary = await http((_, response) => response.end());
    const result = await client({ allowPrivate: false }).request(get(`http://${host}:${canary.port}/`));
    expect(result).toMatchObject({ ok: false, error: 'blocked', written: false });
    expect(canary.connections).toBe(0);
  });

  test.each(['ftp://example.com/', 'http://user:pass@example.com/', 'nonsense'])(
    '%s is blocked',
    async (url) => {
      expect(await client().request(get(url))).toMatchObject({ ok: false, error: 'blocked', written: false });
    },
  );

  test('http can be refused, but for exceptions', async () => {
    const server = await http((_, response) => response.end());
    const options = { allowPrivate: false, httpsOnly: true, lookup: async () => [loopback] };
    const url = `http://a.example:${server.port}/`;
    expect(await client(options).request(get(url))).toMatchObject({
      error: 'blocked',
      text: 'the URL must be https',
    });
    const excepted = client({ ...options, allow: [`a.example:${server.port}`] });
    expect(await excepted.request(get(url))).toMatchObject({ ok: true });
  });

  test('a name that leads to loopback is blocked, also when other answers are public', async () => {
    const canary = await http((_, response) => response.end());
    for (const answers of [
      [loopback],
      [{ address: '8.8.8.8', family: 4 }, loopback],
      [{ address: '::1', family: 6 }],
    ]) {
      const guarded = client({ allowPrivate: false, lookup: async () => answers });
      const result = await guarded.request(get(`http://rebind.example:${canary.port}/`));
      expect(result).toMatchObject({ ok: false, error: 'blocked', written: false });
    }
    expect(canary.connections).toBe(0);
  });

  test('the vetted address is the one connected to: there is no second look-up', async () => {
    const server = await http((_, response) => response.end());
    let lookups = 0;
    const pinned = client({
      allowPrivate: false,
      allow: [`127.0.0.1:${server.port}`],
      lookup: async () => (lookups++ === 0 ? [loopback] : [publicAddress]),
    });
    expect(await pinned.request(get(`http://a.example:${server.port}/`))).toMatchObject({
      ok: true,
      status: 200,
    });
    expect(lookups).toBe(1);
  });

  test('every new connection is vetted again, also of an origin that was fine before', async () => {
    const server = await http((_, response) => response.writeHead(200, { connection: 'close' }).end());
    const answers = [[loopback], [{ address: '127.0.0.2', family: 4 }]];
    const rebound = client({
      allowPrivate: false,
      allow: [`127.0.0.1:${server.port}`],
      lookup: async () => answers.shift()!,
    });
    const url = `http://a.example:${server.port}/`;
    expect(await rebound.request(get(url))).toMatchObject({ ok: true });
    expect(await rebound.request(get(url))).toMatchObject({ ok: false, error: 'blocked', written: false });
  });

  test('an exception for a host and port lets it be anywhere, at that port only', async () => {
    const server = await http((_, response) => response.end());
    const options = { allowPrivate: false, lookup: async () => [loopback] };
    const url = `http://gw.local:${server.port}/`;
    expect(await client({ ...options, allow: [`gw.local:${server.port}`] }).request(get(url))).toMatchObject({
      ok: true,
    });
    expect(
      await client({ ...options, allow: [`gw.local:${server.port + 1}`] }).request(get(url)),
    ).toMatchObject({
      error: 'blocked',
    });
  });
});

describe('failures before anything is written', () => {
  test('a name without addresses', async () => {
    const none = client({ lookup: async () => Promise.reject(new Error('getaddrinfo ENOTFOUND')) });
    expect(await none.request(get('http://none.example/'))).toMatchObject({ error: 'dns', written: false });
    const empty = client({ lookup: async () => [] });
    expect(await empty.request(get('http://none.example/'))).toMatchObject({ error: 'dns', written: false });
  });

  test('a look-up that never ends costs the deadline', async () => {
    const stuck = client({ lookup: () => new Promise(() => undefined) });
    expect(await stuck.request(get('http://stuck.example/', 100))).toMatchObject({
      error: 'timeout',
      written: false,
    });
  });

  test('nobody listens', async () => {
    const server = await http(() => undefined);
    closers.pop()!();
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

  test('a peer that stalls in TLS costs the deadline', async () => {
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

describe('failures after the request left', () => {
  test('a receiver that never answers costs the deadline and no more, and its connection is closed', async () => {
    const server = await http(() => undefined);
    const result = await client().request(get(server.url, 100));
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

  test('headers without end are cut', async () => {
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

describe('answers that go wrong after their headers are answers all the same', () => {
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
    expect(await client().request(get(server.url, 150))).toMatchObject({
      ok: true,
      status: 200,
      truncated: true,
    });
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

test('interim answers are passed over', async () => {
  const server = await http((_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(204).end();
  });
  expect(await client().request(get(server.url))).toMatchObject({ ok: true, status: 204 });
});

test('close ends what is in flight as aborted', async () => {
  const closing = client();
  const server = await http(() => void closing.close());
  expect(await closing.request(get(server.url))).toMatchObject({
    ok: false,
    error: 'aborted',
    written: true,
  });
});
