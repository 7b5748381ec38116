import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { startHttpServer, startRawServer, type TestServer, withEnoughTime } from '@notify/testkit';
import type { HttpClient, HttpStream, StreamRequest } from '../http-client.ts';
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

const get = (url: string, limits: Partial<StreamRequest> = {}): StreamRequest => ({
  method: 'GET',
  url,
  deadlineMs: 60_000,
  idleMs: 60_000,
  maxBytes: 1_000_000,
  ...limits,
});

async function opened(result: Promise<HttpStream>) {
  const stream = await result;
  if (!stream.ok) throw new Error(`${stream.error}: ${stream.text}`);
  return stream;
}

/** The bytes that came, and the class of the error that ended them. */
async function readAll(body: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; error?: unknown }> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    return { bytes: Buffer.concat(chunks), error: (error as { class?: unknown }).class };
  }
  return { bytes: Buffer.concat(chunks) };
}

/** The same bytes, with a rest of so many ms after the first of them. */
async function* restedAfterFirst(body: AsyncIterable<Uint8Array>, restMs: number) {
  let isFirst = true;
  for await (const chunk of body) {
    yield chunk;
    if (isFirst) await new Promise((resolve) => setTimeout(resolve, restMs));
    isFirst = false;
  }
}

async function closed(server: TestServer): Promise<void> {
  await Promise.all(
    [...server.sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
  );
}

/** Answers without end, as fast as the socket takes it. Returns how many bytes it took so far. */
function writeEndlessly(to: Socket): () => number {
  to.write('HTTP/1.1 200 OK\r\n\r\n');
  let written = 0;
  const more = (): void => {
    while (!to.destroyed) {
      written += 16_384;
      if (!to.write(Buffer.alloc(16_384, 'x'))) return;
    }
  };
  to.on('drain', more);
  more();
  return () => written;
}

test('an answer arrives byte for byte, with its status and headers, and its connection is used again', async () => {
  const file = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
  const server = await http((request, response) => {
    response.writeHead(203, { 'content-length': file.length, 'x-a': [request.method!, request.url!] });
    response.end(file);
  });
  const one = client();
  for (let round = 0; round < 2; round += 1) {
    const stream = await opened(one.stream(get(`${server.url}/f?a=b`)));
    expect(stream).toMatchObject({
      status: 203,
      headers: { 'x-a': 'GET, /f?a=b', 'content-length': '300000' },
    });
    expect((await readAll(stream.body)).bytes.equals(file)).toBe(true);
    await new Promise(setImmediate);
  }
  expect(server.connections).toBe(1);
});

test('headers are answered before the body has come, and a redirect is an answer', async () => {
  const server = await http((_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/' }).write('part');
  });
  const stream = await opened(client().stream(get(server.url)));
  expect(stream).toMatchObject({ status: 302, headers: { location: 'http://127.0.0.1:1/' } });
});

describe('bounds', () => {
  test('a server is read no faster than the reader reads', async () => {
    let written = () => 0;
    const server = await raw((socket) => (written = writeEndlessly(socket)));
    const { body } = await opened(client().stream(get(server.url, { maxBytes: 1e12 })));
    let seen = 0;
    for await (const chunk of body) {
      seen += chunk.length;
      // The kernel's buffers fill up; then the server gets no further while the reader rests.
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (seen > 500_000) break;
    }
    expect(written()).toBeLessThan(30_000_000);
    await closed(server);
  });

  test('an endless body ends at the limit, which a whole body may reach', async () => {
    const endless = await raw((socket) => void writeEndlessly(socket));
    const stream = await opened(client().stream(get(endless.url, { maxBytes: 100_000 })));
    const { bytes, error } = await readAll(stream.body);
    expect(error).toBe('too-large');
    expect(bytes.length).toBeLessThanOrEqual(100_000);
    await closed(endless);
    const exact = await http((_, response) => void response.write('x'.repeat(999), () => response.end('x')));
    const whole = await opened(client().stream(get(exact.url, { maxBytes: 1_000 })));
    expect(await readAll(whole.body)).toEqual({ bytes: Buffer.alloc(1_000, 'x') });
  });

  test('a body whose length is told to be too long is not begun', async () => {
    const server = await http(
      (_, response) => void response.writeHead(200, { 'content-length': 11 }).write('x'),
    );
    expect(await client().stream(get(server.url, { maxBytes: 10 }))).toMatchObject({
      ok: false,
      error: 'too-large',
      written: true,
    });
    await closed(server);
  });

  test('silence before the headers and silence in the body end it', async () => {
    const mute = await http(() => undefined);
    const unanswered = await withEnoughTime(
      100,
      (idleMs) => client().stream(get(mute.url, { idleMs })),
      (stream) => !stream.ok && stream.written,
    );
    expect(unanswered).toMatchObject({ ok: false, error: 'timeout', written: true });
    const halting = await http((_, response) => void response.write('part'));
    const broken = await withEnoughTime(
      100,
      async (idleMs) => {
        const stream = await client().stream(get(halting.url, { idleMs }));
        return stream.ok ? readAll(stream.body) : null;
      },
      (read) => read !== null && read.bytes.length > 0,
    );
    expect(broken).toEqual({ bytes: Buffer.from('part'), error: 'timeout' });
    await closed(halting);
  });

  test('a reader that rests longer than the limit of silence still gets all of it', async () => {
    const server = await http((_, response) => response.end(Buffer.alloc(400_000, 'x')));
    const all = await withEnoughTime(
      100,
      async (idleMs) => {
        const stream = await client().stream(get(server.url, { idleMs }));
        return stream.ok ? readAll(restedAfterFirst(stream.body, 3 * idleMs)) : null;
      },
      (read) => read !== null && read.error === undefined,
    );
    expect(all?.error).toBeUndefined();
    expect(all?.bytes.length).toBe(400_000);
  });

  test('a dripping body ends at the deadline, and so does one that nobody reads', async () => {
    const server = await http((_, response) => {
      const drip = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(drip));
    });
    const dripping = (deadlineMs: number) => client().stream(get(server.url, { deadlineMs }));
    const read = await opened(withEnoughTime(250, dripping, ({ ok }) => ok));
    expect(await readAll(read.body)).toMatchObject({ error: 'timeout' });
    await opened(withEnoughTime(250, dripping, ({ ok }) => ok));
    await closed(server);
  });
});

describe('leaving early closes the connection', () => {
  test('by return, also before the first read', async () => {
    const server = await http((_, response) => void response.write('part'));
    const one = client();
    const unread = (await opened(one.stream(get(server.url)))).body[Symbol.asyncIterator]();
    expect(await unread.return!()).toEqual({ done: true, value: undefined });
    await closed(server);
    expect(await unread.next()).toEqual({ done: true, value: undefined });
    const waiting = (await opened(one.stream(get(server.url)))).body[Symbol.asyncIterator]();
    await waiting.next();
    const next = waiting.next();
    await waiting.return!();
    expect(await next).toEqual({ done: true, value: undefined });
    await closed(server);
  });

  test('by a signal, before the headers and after them', async () => {
    const abort = new AbortController();
    const mute = await http(() => abort.abort());
    expect(await client().stream(get(mute.url, { signal: abort.signal }))).toMatchObject({
      ok: false,
      error: 'aborted',
    });
    const later = new AbortController();
    const server = await http((_, response) => void response.write('part'));
    const { body } = await opened(client().stream(get(server.url, { signal: later.signal })));
    setImmediate(() => later.abort());
    expect(await readAll(body)).toMatchObject({ error: 'aborted' });
    await closed(server);
  });

  test('by closing the client', async () => {
    const server = await http((_, response) => void response.write('part'));
    const one = client();
    const { body } = await opened(one.stream(get(server.url)));
    setImmediate(() => void one.close());
    expect(await readAll(body)).toMatchObject({ error: 'aborted' });
  });
});

describe('a body that breaks off throws', () => {
  const head = 'HTTP/1.1 200 OK\r\n';

  test.each<[string, string, (socket: Socket) => void]>([
    [
      'a reset',
      'reset',
      (socket) =>
        socket.write(`${head}content-length: 9\r\n\r\npart`, () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
    ],
    ['an end before its length', 'reset', (socket) => socket.end(`${head}content-length: 9\r\n\r\npart`)],
    [
      'an end before the last chunk',
      'reset',
      (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n4\r\npart\r\n`),
    ],
    [
      'bad chunks',
      'protocol',
      (socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n4\r\npart\r\nZZ\r\n`),
    ],
  ])('%s', async (_, error, onData) => {
    const server = await raw(onData);
    const { body } = await opened(client().stream(get(server.url)));
    const broken = await readAll(body);
    expect(broken.error).toBe(error);
    // Bytes that came together with the fault may be lost.
    expect(['part', '']).toContain(broken.bytes.toString());
  });
});

describe('content codings', () => {
  const foldings: [string, (plain: Buffer) => Buffer][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
  ];
  const folded = (coding: string, body: Buffer) =>
    http((_, response) =>
      response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body),
    );

  test.each(foldings)('%s is decoded, and its headers no longer hold', async (coding, fold) => {
    const server = await folded(coding, fold(Buffer.from('hello')));
    const { headers, body } = await opened(client().stream(get(server.url)));
    expect((await readAll(body)).bytes.toString()).toBe('hello');
    expect(headers).not.toHaveProperty('content-length');
    expect(headers).not.toHaveProperty('content-encoding');
  });

  test.each(foldings)('a bomb in %s ends at the limit', async (coding, fold) => {
    const server = await folded(coding, fold(Buffer.alloc(100_000_000)));
    const { body } = await opened(client().stream(get(server.url)));
    const { bytes, error } = await readAll(body);
    expect([error, bytes.length <= 1_000_000]).toEqual(['too-large', true]);
  });

  test('what is no gzip, a part of one, and a coding that nobody knows', async () => {
    const noise = await folded('gzip', Buffer.from('hello'));
    expect(await readAll((await opened(client().stream(get(noise.url)))).body)).toMatchObject({
      error: 'protocol',
    });
    const part = await folded('gzip', gzipSync(Buffer.alloc(1_000, 'x')).subarray(0, -9));
    expect(await readAll((await opened(client().stream(get(part.url)))).body)).toMatchObject({
      error: 'protocol',
    });
    const unknown = await folded('constructor', Buffer.from('hello'));
    expect(await client().stream(get(unknown.url))).toMatchObject({ ok: false, error: 'protocol' });
  });
});

describe('the guard', () => {
  test('an address that is not public is refused at the connect, also where a redirect leads', async () => {
    const touched = { inside: 0 };
    const inside = await http((_, response) => {
      touched.inside += 1;
      response.end('secret');
    });
    const outside = await http((_, response) => response.writeHead(302, { location: inside.url }).end());
    const strict = client({
      allowPrivate: false,
      allow: [`cdn.example:${outside.port}`],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const first = await opened(strict.stream(get(`http://cdn.example:${outside.port}/`)));
    await first.body[Symbol.asyncIterator]().return!();
    for (const url of [
      first.headers['location']!,
      `http://inside.example:${inside.port}/`,
      'file:///etc/passwd',
    ])
      expect(await strict.stream(get(url))).toMatchObject({ ok: false, error: 'blocked', written: false });
    expect(touched).toEqual({ inside: 0 });
  });

  test('failures before anything is written', async () => {
    const server = await http(() => undefined);
    server.close();
    expect(await client().stream(get(server.url))).toMatchObject({ error: 'refused', written: false });
    const aborted = get(server.url, { signal: AbortSignal.abort() });
    expect(await client().stream(aborted)).toMatchObject({ error: 'aborted', written: false });
    const lookUp = Promise.withResolvers<[]>();
    const stuck = client({ lookup: () => lookUp.promise });
    expect(await stuck.stream(get('http://stuck.example/', { idleMs: 50 }))).toMatchObject({
      error: 'timeout',
      written: false,
    });
    lookUp.resolve([]);
  });
});
