import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { createServer as createTls } from 'node:tls';
import {
  makeCertificate,
  startHttpServer,
  startRawServer,
  type TestServer,
  withEnoughTime,
} from '@notify/testkit';
import { createHttpClient, type HttpClientOptions } from '../exchange/create-client.ts';
import type { HttpResult } from '../http-client.ts';
import { createMediaClient } from '../media/media-client.ts';
import { passOverInterimAnswers } from './interim-answers.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(options: Partial<HttpClientOptions> = {}) {
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const made = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', lookup, ...options });
  closers.push(() => made.close());
  return made;
}

const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
const final = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';

/** Answers every request on a connection with these pieces, one after the other as they leave. */
function answers(socket: Socket, pieces: readonly string[]): void {
  socket.setNoDelay(true);
  const next = (left: readonly string[]): void => {
    const [piece, ...rest] = left;
    if (piece !== undefined) socket.write(piece, () => setImmediate(next, rest));
  };
  next(pieces);
  socket.on('data', () => next(pieces));
}

async function serve(onData: (socket: Socket) => void): Promise<TestServer> {
  const server = await startRawServer(onData);
  closers.push(() => server.close());
  return server;
}

const post = (url: string) => ({ method: 'POST', url, body: '{}', deadlineMs: 10_000 }) as const;
const isWritten = (result: HttpResult) => !result.ok && result.written;
const taken = { ok: true, status: 200, body: Buffer.from('hello') };

const ways = [
  ['100', [go + final]],
  ['100 in its own packet', [go, final]],
  ['100 twice', [go, go, final]],
  ['103 and 100', [hints + go, final]],
  ['100 that closes', ['HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n', final]],
  ['100 byte by byte', Array.from(go + final)],
] as const;

test.each(ways)(
  'a request is answered once after %s, and so is the next on its connection',
  async (_, pieces) => {
    const server = await serve((socket) => answers(socket, pieces));
    const http = client();
    for (let count = 0; count < 3; count += 1) {
      expect(await http.request(post(server.url))).toMatchObject(taken);
      await new Promise(setImmediate);
    }
    expect(server.connections).toBe(1);
  },
);

test('100 may be split at any byte', async () => {
  let at = 0;
  const whole = go + go + final;
  const server = await serve((socket) => {
    socket.setNoDelay(true);
    const answer = () =>
      socket.write(whole.slice(0, at), () => setImmediate(() => socket.write(whole.slice(at))));
    answer();
    socket.on('data', answer);
  });
  const http = client();
  for (at = 1; at < whole.length; at += 1) expect(await http.request(post(server.url))).toMatchObject(taken);
  expect(at).toBe(whole.length);
});

test.each(ways)('a stream begins after %s', async (_, pieces) => {
  const server = await serve((socket) => answers(socket, pieces));
  const stream = await client().stream({ ...post(server.url), idleMs: 10_000, maxBytes: 100 });
  if (!stream.ok) throw new Error(stream.text);
  expect(stream.status).toBe(200);
  expect(Buffer.concat(await Array.fromAsync(stream.body)).toString()).toBe('hello');
});

test('a file is fetched after 100', async () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n';
  const server = await serve((socket) => answers(socket, [go, hints, `${head}hello`]));
  const media = createMediaClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', spoolDir: tmpdir() });
  closers.push(() => media.close());
  expect(await media.look(server.url)).toMatchObject({ ok: true });
});

test('100 over TLS', async () => {
  const { key, cert } = makeCertificate();
  const server = createTls({ key, cert }, (socket) => {
    socket.once('data', () => answers(socket, [go, go, final]));
  });
  const port = await listening(server);
  const http = client({ ca: cert });
  for (let count = 0; count < 2; count += 1)
    expect(await http.request(post(`https://a.example:${port}/`))).toMatchObject(taken);
});

test('a body that looks like an informational answer is left alone', async () => {
  const body = go.repeat(3);
  const head = `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`;
  const server = await serve((socket) => answers(socket, [go, head, go, go, go]));
  const http = client();
  for (let count = 0; count < 2; count += 1)
    expect(await http.request(post(server.url))).toMatchObject({ status: 200, body: Buffer.from(body) });
});

test('100 may come while a file is still being sent', async () => {
  const length = 3_000_000;
  const server = await startHttpServer((request, response) => {
    response.writeContinue();
    request.once('data', () => response.writeContinue());
    request.on('end', () => response.end('hello'));
  });
  closers.push(() => server.close());
  async function* open() {
    for (let sent = 0; sent < length; sent += 100_000) yield Buffer.alloc(100_000);
  }
  const result = await client().request({ ...post(server.url), body: { length, open } });
  expect(result).toMatchObject(taken);
});

test.each<[string, (socket: Socket) => void, string]>([
  ['100, then a close', (socket) => void socket.end(go), 'reset'],
  ['half of a 100, then a close', (socket) => void socket.end(go.slice(0, 11)), 'reset'],
  ['100, then nothing', (socket) => void socket.write(go), 'timeout'],
  ['100 for ever', (socket) => keepWriting(socket, go.repeat(50)), 'too-large'],
  [
    'a 100 without end',
    (socket) => keepWriting(socket, `${go.slice(0, 21)}${'x'.repeat(1_000)}`),
    'too-large',
  ],
])('%s is no answer to a request that was written', async (_, onData, error) => {
  const server = await serve(onData);
  const result = await withEnoughTime(
    error === 'timeout' ? 300 : 10_000,
    (deadlineMs) => client().request({ ...post(server.url), deadlineMs }),
    isWritten,
  );
  expect(result).toMatchObject({ ok: false, error, written: true });
});

test('100 that comes slowly, for ever, takes only the deadline', async () => {
  const server = await serve((socket) => {
    const timer = setInterval(() => socket.write(go), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const result = await withEnoughTime(
    300,
    (deadlineMs) => client().request({ ...post(server.url), deadlineMs }),
    isWritten,
  );
  expect(result).toMatchObject({ ok: false, error: 'timeout', written: true });
});

test('a proxy may say 100 before it opens the tunnel', async () => {
  const proxy = await serve((socket) =>
    answers(socket, [go, 'HTTP/1.1 200 Connection established\r\n\r\n', final]),
  );
  expect(await client({ proxy: proxy.url }).request(post('http://a.example/'))).toMatchObject(taken);
});

test("Node's own fetch passes over 100 too", async () => {
  passOverInterimAnswers();
  passOverInterimAnswers();
  const server = await serve((socket) => answers(socket, [go, final]));
  for (let count = 0; count < 3; count += 1) expect(await (await fetch(server.url)).text()).toBe('hello');
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function keepWriting(socket: Socket, piece: string): void {
  if (socket.destroyed) return;
  if (socket.write(piece)) setImmediate(keepWriting, socket, piece);
  else socket.once('drain', () => keepWriting(socket, piece));
}
