import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { makeCertificate } from '@notify/testkit';
import { createSocketDial, type SocketDialOptions } from './socket-dial.ts';

const closers: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close();
});

const loopback = async () => [{ address: '127.0.0.1', family: 4 }];

function dialWith(options: Partial<SocketDialOptions> = {}) {
  const dial = createSocketDial({ allowPrivate: true, allow: [], lookup: loopback, ...options });
  return async (...target: Parameters<typeof dial>) => {
    const dialled = await dial(...target);
    if (dialled.ok) closers.push(() => dialled.socket.destroy());
    return dialled;
  };
}

async function listening(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => closers.push(() => socket.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const greeter = (): Promise<number> => listening(createServer((socket) => socket.write('hello')));

async function greeting(dialled: Awaited<ReturnType<ReturnType<typeof createSocketDial>>>): Promise<string> {
  if (!dialled.ok) throw new Error(dialled.text);
  const data = once(dialled.socket, 'data') as Promise<[Buffer]>;
  dialled.socket.resume();
  const [chunk] = await data;
  return chunk.toString();
}

test('a socket leads to the looked-up address', async () => {
  const port = await greeter();
  expect(await greeting(await dialWith()({ host: 'smsc.example', port, tls: false }))).toBe('hello');
  expect(await greeting(await dialWith()({ host: '127.0.0.1', port, tls: false }))).toBe('hello');
});

test.each([
  ['an address of loopback', '127.0.0.1', loopback],
  ['another form of that address', '0x7f.1', loopback],
  ['a name that leads there', 'smsc.example', loopback],
  [
    'a name of which one address leads there',
    'smsc.example',
    async () => [{ address: '93.184.216.34', family: 4 }, ...(await loopback())],
  ],
  ['link-local', '169.254.169.254', loopback],
  ['loopback of IPv6', '::1', loopback],
  ['a host with a path', 'smsc.example/x', loopback],
  ['a host with a user', 'user@smsc.example', loopback],
  ['no host', '', loopback],
])('%s is refused', async (_, host, lookup) => {
  const port = await greeter();
  const dial = dialWith({ allowPrivate: false, lookup });
  expect(await dial({ host, port, tls: false })).toMatchObject({ ok: false, error: 'blocked' });
});

test('an exception of the operator is allowed', async () => {
  const port = await greeter();
  const dial = dialWith({ allowPrivate: false, allow: [`smsc.example:${port}`] });
  expect(await greeting(await dial({ host: 'smsc.example', port, tls: false }))).toBe('hello');
});

test('TLS, with the certificate checked against the host', async () => {
  const { key, cert } = makeCertificate('DNS:smsc.example');
  const port = await listening(createTls({ key, cert }, (socket) => socket.write('hello')));
  const dial = dialWith({ ca: cert });
  expect(await greeting(await dial({ host: 'smsc.example', port, tls: true }))).toBe('hello');
  expect(await dial({ host: 'other.example', port, tls: true })).toEqual({
    ok: false,
    error: 'tls',
    text: 'the certificate is for another name',
  });
  expect(await dialWith()({ host: 'smsc.example', port, tls: true })).toMatchObject({ error: 'tls' });
});

test('a port without a listener', async () => {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, 'close');
  const target = { host: 'smsc.example', port, tls: false };
  expect(await dialWith()(target)).toMatchObject({ ok: false, error: 'refused' });
});

test('a name without an address', async () => {
  const dial = dialWith({ lookup: () => Promise.reject(new Error('no such name')) });
  const target = { host: 'smsc.example', port: 2775, tls: false };
  expect(await dial(target)).toEqual({ ok: false, error: 'dns', text: 'no such name' });
});

test('through a proxy, which gets the vetted address', async () => {
  const port = await greeter();
  const asked: string[] = [];
  const proxy = await listening(
    createServer((socket) =>
      socket.once('data', (head: Buffer) => {
        asked.push(head.toString().split('\r\n')[0]!);
        const target = connect(port, '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
          target.pipe(socket).pipe(target);
        });
      }),
    ),
  );
  const dial = dialWith({ proxy: `http://127.0.0.1:${proxy}` });
  expect(await greeting(await dial({ host: 'smsc.example', port, tls: false }))).toBe('hello');
  expect(asked).toEqual([`CONNECT 127.0.0.1:${port} HTTP/1.1`]);
});
