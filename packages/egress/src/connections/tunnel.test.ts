import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { makeCertificate } from '@notify/testkit';
import { createHttpClient } from '../exchange/create-client.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

interface Asked {
  readonly target: string;
  readonly authorization: string | undefined;
}

type Answer = (request: IncomingMessage, socket: Socket) => void;

/** A proxy that records its requests. It opens tunnels unless told otherwise. */
async function startProxy(answer: Answer = open): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    asked.push({ target: request.url!, authorization: request.headers['proxy-authorization'] });
    answer(request, socket);
  });
  const port = await listening(server);
  closers.push(() => sockets.forEach((socket) => socket.destroy()));
  return { url: `http://user:p%40ss@127.0.0.1:${port}`, asked };
}

function open(request: IncomingMessage, socket: Socket): void {
  const { hostname, port } = new URL(`http://${request.url}`);
  const target = connect(Number(port), hostname, () => {
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    target.pipe(socket).pipe(target);
  });
  target.on('error', () => socket.destroy());
}

const says =
  (line: string): Answer =>
  (_, socket) =>
    void socket.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`);

function client(proxy: string, options: { ca?: string; allowPrivate?: boolean } = {}) {
  const made = createHttpClient({
    allowPrivate: true,
    allow: [],
    userAgent: 'Test/1',
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
    proxy,
  });
  closers.push(() => made.close());
  return made;
}

const get = (url: string) => ({ method: 'GET', url, deadlineMs: 60_000 }) as const;

test('the proxy gets the vetted address and its password, and TLS inside uses the name', async () => {
  const { key, cert } = makeCertificate();
  const names: unknown[] = [];
  const port = await listening(
    createHttpsServer({ key, cert }, (request, response) => {
      names.push((request.socket as { servername?: unknown }).servername);
      response.end('hello');
    }),
  );
  const proxy = await startProxy();
  const result = await client(proxy.url, { ca: cert }).request(get(`https://a.example:${port}/`));
  expect(result).toMatchObject({ ok: true, status: 200, body: Buffer.from('hello') });
  expect(names).toEqual(['a.example']);
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
  expect(proxy.asked).toEqual([{ target: `127.0.0.1:${port}`, authorization }]);
});

test('http goes through the tunnel too, and the connection is kept', async () => {
  const port = await listening(createHttpServer((_, response) => response.end('hello')));
  const proxy = await startProxy();
  const http = client(proxy.url);
  for (let count = 0; count < 3; count += 1) {
    expect(await http.request(get(`http://a.example:${port}/`))).toMatchObject({ ok: true, status: 200 });
    await new Promise(setImmediate);
  }
  expect(proxy.asked).toHaveLength(1);
});

test('a special address is refused before the proxy is asked', async () => {
  const proxy = await startProxy();
  const http = client(proxy.url, { allowPrivate: false });
  for (const url of ['https://a.example/', 'https://127.0.0.1/', 'https://169.254.169.254/'])
    expect(await http.request(get(url))).toMatchObject({ ok: false, error: 'blocked', written: false });
  expect(proxy.asked).toEqual([]);
});

test('a missing proxy counts as a failure of the proxy', async () => {
  const server = createHttpServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  expect(await client(`http://127.0.0.1:${port}`).request(get('http://a.example/'))).toMatchObject({
    ok: false,
    error: 'proxy',
    written: false,
  });
});

test.each<[string, Answer, string]>([
  ['wants another password', says('407 Proxy Authentication Required'), 'proxy'],
  ['forbids', says('403 Forbidden'), 'proxy'],
  ['breaks', says('500 Oops'), 'proxy'],
  ['hangs up', (_, socket) => void socket.destroy(), 'proxy'],
  ['speaks no HTTP', (_, socket) => void socket.end('hello there\r\n\r\n'), 'proxy'],
  [
    'never ends its headers',
    (_, socket) => void socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`),
    'proxy',
  ],
  ['does not reach the address', says('502 Bad Gateway'), 'refused'],
  ['cannot connect', says('503 Service Unavailable'), 'refused'],
  ['waits for the address in vain', says('504 Gateway Timeout'), 'refused'],
])('a proxy that %s', async (_, answer, error) => {
  const proxy = await startProxy(answer);
  expect(await client(proxy.url).request(get('http://a.example/'))).toMatchObject({
    ok: false,
    error,
    written: false,
  });
  expect(proxy.asked).toHaveLength(1);
});
