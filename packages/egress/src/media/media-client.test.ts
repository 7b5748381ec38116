import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { startHttpServer, startRawServer, type TestServer } from '@notify/testkit';
import { createMediaClient, type MediaClient, type MediaClientOptions } from './media-client.ts';

const closers: (() => unknown)[] = [];
let spoolDir: string;
beforeEach(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-spool-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await rm(spoolDir, { recursive: true });
});

function client(options: Partial<MediaClientOptions> = {}): MediaClient {
  const rules = { allowPrivate: true, allow: [], userAgent: 'Test/1', spoolDir };
  const made = createMediaClient({ ...rules, ...options });
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

const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600', 'hex'), Buffer.alloc(20_000, 7)]);
const maxBytes = 1_000_000;

/** A server that supports ranges. */
function ranged(file: Buffer): RequestListener {
  return (request, response) => {
    const last = Number(/^bytes=0-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? Infinity);
    if (request.headers.range === undefined) return response.end(file);
    const end = Math.min(last, file.length - 1);
    response.writeHead(206, { 'content-range': `bytes 0-${end}/${file.length}` });
    return response.end(file.subarray(0, end + 1));
  };
}

function endless(response: ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
  };
  response.on('drain', more);
  more();
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write('x'), 10);
  response.on('close', () => clearInterval(timer));
}

const untilClosed = async (server: TestServer) => {
  while (server.sockets.size > 0) await new Promise(setImmediate);
};

async function fileOf(download: ReturnType<MediaClient['download']>) {
  const result = await download;
  if (!result.ok) throw new Error(result.text);
  return result.file;
}

describe('a look', () => {
  test('requests the first bytes and returns the length of the whole file', async () => {
    let asked: IncomingMessage['headers'] = {};
    const server = await http((request, response) => {
      asked = request.headers;
      ranged(jpeg)(request, response);
    });
    const looked = await client().look(server.url);
    expect(looked).toMatchObject({ ok: true, bytes: jpeg.length, mimeType: 'image/jpeg' });
    expect(looked).toHaveProperty('head', jpeg.subarray(0, 4_100));
    expect(asked).toMatchObject({
      range: 'bytes=0-4099',
      'accept-encoding': 'identity',
      'user-agent': 'Test/1',
    });
  });

  test('handles a server that ignores ranges, and closes the connection', async () => {
    const server = await http((_, response) => {
      response.writeHead(200, { 'content-length': 50_000_000, 'content-type': 'image/jpeg' });
      response.write('%PDF-1.7\n');
      endless(response);
    });
    const looked = await client().look(server.url);
    expect(looked).toMatchObject({ ok: true, bytes: 50_000_000, mimeType: 'application/pdf' });
    await untilClosed(server);
  });

  test('an endless body without a length has none', async () => {
    const server = await http((_, response) => endless(response));
    expect(await client().look(server.url)).toMatchObject({ ok: true, bytes: null, mimeType: 'text/plain' });
    await untilClosed(server);
  });

  test('a short file without a length has the length that arrived', async () => {
    const server = await http((_, response) => {
      response.write('%PDF-1.7\n');
      response.end();
    });
    expect(await client().look(server.url)).toMatchObject({ bytes: 9, mimeType: 'application/pdf' });
  });

  test.each<[string, RequestListener]>([
    ['200', (_, response) => response.end()],
    ['416', (_, response) => response.writeHead(416, { 'content-range': 'bytes */0' }).end('no range')],
  ])('a file of no bytes, as a %s', async (_, answer) => {
    const server = await http(answer);
    expect(await client().look(server.url)).toMatchObject({
      ok: true,
      bytes: 0,
      mimeType: 'application/x-empty',
    });
  });

  test.each([404, 403, 410, 401, 500, 503, 204, 304, 416])('%i is no file', async (status) => {
    const server = await http((_, response) => response.writeHead(status).end());
    expect(await client().look(server.url)).toMatchObject({ ok: false, error: 'http-status', status });
  });

  test('a range other than the requested one is refused', async () => {
    const server = await http((_, response) =>
      response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('12345'),
    );
    expect(await client().look(server.url)).toMatchObject({ ok: false, error: 'protocol' });
  });

  test('an unrequested content coding is refused, so that no bomb unfolds', async () => {
    const server = await http((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(jpeg)),
    );
    expect(await client().look(server.url)).toMatchObject({ ok: false, error: 'coding' });
    expect(await client().download(server.url, { maxBytes })).toMatchObject({ ok: false, error: 'coding' });
  });

  test('ends at its deadline without an answer and in a dripping body', async () => {
    const silent = await http(() => undefined);
    expect(await client({ lookMs: 100 }).look(silent.url)).toMatchObject({ ok: false, error: 'timeout' });
    const dripping = await http((_, response) => drip(response));
    expect(await client({ lookMs: 200 }).look(dripping.url)).toMatchObject({ ok: false, error: 'timeout' });
    await Promise.all([untilClosed(silent), untilClosed(dripping)]);
  });

  test('ends when the caller aborts', async () => {
    const abort = new AbortController();
    const server = await http(() => abort.abort());
    expect(await client().look(server.url, { signal: abort.signal })).toMatchObject({ error: 'aborted' });
    await untilClosed(server);
    expect(await client().look(server.url, { signal: abort.signal })).toMatchObject({ error: 'aborted' });
    expect(server.connections).toBe(1);
  });

  test('names the failure of the network', async () => {
    const gone = await http(() => undefined);
    gone.close();
    expect(await client().look(gone.url)).toMatchObject({ ok: false, error: 'refused', status: null });
    const none = client({ lookup: async () => [] });
    expect(await none.look('http://none.example/')).toMatchObject({ error: 'dns' });
    const stuck = client({ lookup: () => new Promise(() => undefined), lookMs: 100 });
    expect(await stuck.look('http://stuck.example/')).toMatchObject({ error: 'timeout' });
    const plain = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect(await client().look(plain.url.replace('http:', 'https:'))).toMatchObject({ error: 'tls' });
    const reset = await raw((socket) => socket.resetAndDestroy());
    expect(await client().look(reset.url)).toMatchObject({ error: 'reset' });
    const headers = await raw((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`),
    );
    expect(await client().look(headers.url)).toMatchObject({ error: 'protocol' });
  });
});

describe('redirects', () => {
  const towards = (location: string): RequestListener => {
    return (_, response) => response.writeHead(302, { location }).end('x'.repeat(100_000));
  };

  test('are followed three times, relative ones too, and no further', async () => {
    const seen: (string | undefined)[] = [];
    const server = await http((request, response) => {
      seen.push(request.url);
      const left = Number(request.url!.slice(1));
      if (left > 0) towards(`./${left - 1}`)(request, response);
      else ranged(jpeg)(request, response);
    });
    expect(await client().look(`${server.url}/3`)).toMatchObject({ ok: true, mimeType: 'image/jpeg' });
    expect(seen).toEqual(['/3', '/2', '/1', '/0']);
    expect(await client().look(`${server.url}/4`)).toMatchObject({ ok: false, error: 'redirects' });
    await using downloaded = await fileOf(client().download(`${server.url}/3`, { maxBytes }));
    expect(downloaded.bytes).toBe(jpeg.length);
  });

  test.each(['', 'http://['])('to nowhere ("%s") are a failure', async (location) => {
    const server = await http(towards(location));
    expect(await client().look(server.url)).toMatchObject({ ok: false, error: 'redirects', status: 302 });
  });

  test.each([
    'http://127.0.0.1:',
    'http://[::ffff:127.0.0.1]:',
    'http://localhost:',
    'http://inside.example:',
  ])('to %s are refused where the rules are strict; nobody connects there', async (inside) => {
    const canary = await http((_, response) => response.end());
    const server = await http(towards(`${inside}${canary.port}/`));
    const strict = client({
      allowPrivate: false,
      allow: [`a.example:${server.port}`],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    expect(await strict.look(`http://a.example:${server.port}/`)).toMatchObject({
      ok: false,
      error: 'blocked',
    });
    expect(await strict.download(`http://a.example:${server.port}/`, { maxBytes })).toMatchObject({
      error: 'blocked',
    });
    expect([server.connections > 0, canary.connections]).toEqual([true, 0]);
  });

  test.each(['ftp://a.example/', 'http://user:pass@a.example/', 'file:///etc/passwd'])(
    'to %s are refused',
    async (location) => {
      const server = await http(towards(location));
      expect(await client().look(server.url)).toMatchObject({ ok: false, error: 'blocked' });
    },
  );
});
