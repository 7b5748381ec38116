import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHttpServer, startRawServer, type TestServer } from '@notify/testkit';
import { createMediaClient, type MediaClient, type MediaClientOptions } from './media-client.ts';

const closers: (() => unknown)[] = [];
let spoolDir: string;
beforeEach(async () => {
  spoolDir = await mkdtemp(path.join(tmpdir(), 'notify-spool-'));
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  const leftovers = await readdir(spoolDir);
  await rm(spoolDir, { recursive: true });
  if (leftovers.length > 0) throw new Error(`left behind: ${leftovers.join()}`);
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

async function whole(file: { open(): AsyncIterable<Uint8Array> }): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(file.open()));
}

async function fileOf(download: ReturnType<MediaClient['download']>) {
  const result = await download;
  if (!result.ok) throw new Error(result.text);
  return result.file;
}

/** The error of a download, or the content of its file. */
async function endOf(result: Awaited<ReturnType<MediaClient['download']>>): Promise<string> {
  if (!result.ok) return result.error;
  await using file = result.file;
  return (await whole(file)).toString();
}

describe('a download', () => {
  test('is the file byte for byte at every reading, with its own type', async () => {
    const server = await http(ranged(jpeg));
    await using file = await fileOf(client().download(server.url, { maxBytes }));
    expect(file).toMatchObject({ bytes: jpeg.length, mimeType: 'image/jpeg' });
    expect([await whole(file), await whole(file)]).toEqual([jpeg, jpeg]);
    expect(await readdir(spoolDir)).toEqual([]);
  });

  test('cannot be read after disposal, which may happen twice', async () => {
    const server = await http(ranged(jpeg));
    const file = await fileOf(client().download(server.url, { maxBytes }));
    await file[Symbol.asyncDispose]();
    await file[Symbol.asyncDispose]();
    await expect(whole(file)).rejects.toThrow('closed');
  });

  test('creates its folder', async () => {
    const server = await http(ranged(jpeg));
    const nested = client({ spoolDir: path.join(spoolDir, 'a/b') });
    await using file = await fileOf(nested.download(server.url, { maxBytes }));
    expect(file.bytes).toBe(jpeg.length);
    await rm(path.join(spoolDir, 'a'), { recursive: true });
  });

  test('that is too large is refused by its length, or cut at the limit', async () => {
    const told = await http(ranged(jpeg));
    const limit = { maxBytes: jpeg.length - 1 };
    expect(await client().download(told.url, limit)).toMatchObject({ ok: false, error: 'too-large' });
    const untold = await http((_, response) => endless(response));
    expect(await client().download(untold.url, limit)).toMatchObject({ ok: false, error: 'too-large' });
    await untilClosed(untold);
    await using file = await fileOf(client().download(told.url, { maxBytes: jpeg.length }));
    expect(file.bytes).toBe(jpeg.length);
  });

  test.each<[string, string, string]>([
    ['longer than its length', 'content-length: 4\r\n\r\n123456789', '1234'],
    ['in broken chunks', 'transfer-encoding: chunked\r\n\r\n4\r\n1234\r\nZZ\r\n', 'protocol'],
    ['shorter than its length', 'content-length: 400\r\n\r\n1234', 'reset'],
  ])('of a body %s never yields more or less than was promised', async (_, rest, end) => {
    const server = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${rest}`));
    const result = await client().download(server.url, { maxBytes });
    expect(await endOf(result)).toBe(end);
  });

  test('ends after too long a silence, and after too long a time in total', async () => {
    const stalls = await http((_, response) => response.write('x'));
    const idle = client({ idleMs: 100 });
    expect(await idle.download(stalls.url, { maxBytes })).toMatchObject({
      error: 'timeout',
      text: 'nothing came for 0.1 s',
    });
    const drips = await http((_, response) => drip(response));
    const slow = client({ idleMs: 5_000, downloadMs: 300 });
    expect(await slow.download(drips.url, { maxBytes })).toMatchObject({
      error: 'timeout',
      text: 'it took longer than 0.3 s',
    });
    await Promise.all([untilClosed(stalls), untilClosed(drips)]);
  });

  test('ends when the caller aborts, in the middle of it', async () => {
    const abort = new AbortController();
    const server = await http((_, response) => {
      response.write('x', () => setImmediate(() => abort.abort()));
    });
    expect(await client().download(server.url, { maxBytes, signal: abort.signal })).toMatchObject({
      error: 'aborted',
    });
    await untilClosed(server);
  });

  test('reports a disk that refuses the file', async () => {
    const server = await http(ranged(jpeg));
    const nowhere = client({ spoolDir: '/dev/null/spool' });
    expect(await nowhere.download(server.url, { maxBytes })).toMatchObject({ ok: false, error: 'spool' });
    await untilClosed(server);
  });

  test('an unrequested 206, and every answer that is no file, are refused', async () => {
    const server = await http((request, response) =>
      response.writeHead(Number(request.url!.slice(1)), { 'content-range': 'bytes 0-0/1' }).end('x'),
    );
    for (const status of [206, 404, 500])
      expect(await client().download(`${server.url}/${status}`, { maxBytes })).toMatchObject({
        error: 'http-status',
        status,
      });
  });
});
