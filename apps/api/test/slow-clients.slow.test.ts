import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { patiently } from '@notify/testkit';
import { type HttpServer, listen } from '../src/server.ts';
import { register, testApi, type TestApi } from './test-api.ts';

/** Short, so that nobody waits for half a minute here. */
const limits = {
  headersTimeout: 400,
  requestTimeout: 800,
  connectionsCheckingInterval: 50,
  silence: 800,
};
const slowOnes = 100;

let api: TestApi;
let bearer: string;
let server: HttpServer;
beforeAll(async () => {
  api = await testApi();
  ({ bearer } = await register(api.app));
  server = await listen(api.app, '127.0.0.1', 0, limits);
});
afterAll(async () => {
  await server.close();
  await api[Symbol.asyncDispose]();
});

const head =
  'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n';

/**
 * A client that has sent this much of a request, and sends another byte of it whenever `drip` is called, also when the
 * server has taken its leave.
 */
async function begin(begun: string): Promise<{ socket: Socket; drip: () => void; ended: Promise<string> }> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: begun !== '' });
  let text = '';
  socket.on('error', () => undefined).on('data', (bytes: Buffer) => (text += bytes.toString()));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  await once(socket, 'connect');
  socket.write(begun);
  return { socket, drip: () => socket.write('x'), ended };
}

async function isServed(): Promise<boolean> {
  const answer = await patiently(() =>
    fetch(`http://127.0.0.1:${server.port}/auth/me`, { headers: { authorization: bearer } }),
  );
  await answer.body?.cancel();
  return answer.status === 200;
}

test.each([
  ['no head', ''],
  ['a head without an end', `${head}X-Slow: `],
  ['a body without an end', `${head}\r\n{"email":"`],
])(
  'clients that send %s are cut off, however they drip, and meanwhile others are served',
  async (_what, begun) => {
    const clients = await Promise.all(Array.from({ length: slowOnes }, () => begin(begun)));
    const dripping = setInterval(() => begun !== '' && clients.forEach(({ drip }) => drip()), 50);
    expect(await isServed()).toBe(true);
    const answers = await Promise.all(clients.map(({ ended }) => ended));
    clearInterval(dripping);
    for (const answer of answers) expect(answer === '' || answer.startsWith('HTTP/1.1 408 ')).toBe(true);
    expect(await isServed()).toBe(true);
  },
);

test('a client that reads none of its answers is cut off', async () => {
  const { socket, ended } = await begin('');
  socket.pause();
  const asking = 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(500);
  // Whoever does not read does not hear of the end either, until it writes again.
  const writing = setInterval(() => socket.write(asking), 200);
  await ended;
  clearInterval(writing);
  expect(await isServed()).toBe(true);
});

test('a network with all connections that there may be leaves room for another', async () => {
  await using full = await serverOf(50);
  const open = (localAddress: string): Socket =>
    connect({ port: full.port, host: '127.0.0.1', localAddress });
  let closed = 0;
  const storm = Array.from({ length: 60 }, () =>
    open('127.0.0.2')
      .on('error', () => undefined)
      .on('close', () => (closed += 1))
      .resume(),
  );
  const closes = async (count: number): Promise<void> => {
    while (closed < count) await new Promise(setImmediate);
  };
  await closes(10);
  const other = open('127.0.0.1');
  other.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
  const [answer] = (await once(other, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1.1 /);
  await closes(11);
  for (const socket of [...storm, other]) socket.destroy();
});

/** A server that has so many connections at most. */
async function serverOf(connections: number): Promise<AsyncDisposable & { readonly port: number }> {
  const full = await listen(api.app, '127.0.0.1', 0, {
    ...limits,
    silence: 60_000,
    headersTimeout: 60_000,
    requestTimeout: 60_000,
    connections,
  });
  return { port: full.port, [Symbol.asyncDispose]: () => full.close() };
}
