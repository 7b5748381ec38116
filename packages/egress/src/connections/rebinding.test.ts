import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as tick } from 'node:timers/promises';
import { createHttpClient } from '../exchange/create-client.ts';
import type { HttpClient } from '../http-client.ts';

/** The operator's exception allows this address. The canary beside it, on the same port, is not allowed. */
const allowed = '127.0.0.2';
const canaryAt = '127.0.0.1';

/** A DNS server for A records with TTL 0. `answer` gives the addresses of each look-up. */
async function startDns(
  answer: () => readonly string[],
): Promise<{ socket: UdpSocket; lookups: () => number }> {
  const socket = createSocket('udp4');
  let lookups = 0;
  socket.on('message', (query, from) => {
    lookups += 1;
    socket.send(replyTo(query, answer()), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { socket, lookups: () => lookups };
}

/**
 * A reply by RFC 1035, 4.1: the header, the question unchanged, and one A record per address that points back at its
 * name.
 */
function replyTo(query: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt16BE(0, 10);
  const nameEnd = query.indexOf(0, 12);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([header, query.subarray(12, nameEnd + 5), ...records]);
}

let canary: Server;
let receiver: Server;
let touched: number;
let client: HttpClient | undefined;
let dns: Awaited<ReturnType<typeof startDns>>;
let port: number;

beforeEach(async () => {
  touched = 0;
  canary = createServer((_, response) => response.end('canary')).on('connection', () => (touched += 1));
  canary.listen(0, canaryAt);
  await once(canary, 'listening');
  ({ port } = canary.address() as AddressInfo);
  receiver = createServer((_, response) => response.end('receiver')).listen(port, allowed);
  await once(receiver, 'listening');
});
afterEach(async () => {
  await client?.close();
  dns.socket.close();
  for (const server of [canary, receiver]) {
    server.closeAllConnections();
    server.close();
  }
});

/** A client that looks names up at our DNS server for every connect. */
async function clientOf(answer: () => readonly string[], v6: readonly string[] = []): Promise<HttpClient> {
  dns = await startDns(answer);
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${dns.socket.address().port}`]);
  client = createHttpClient({
    allowPrivate: false,
    allow: [`${allowed}/32:${port}`],
    userAgent: 'Test/1',
    lookup: async (host) => [
      ...(await resolver.resolve4(host)).map((address) => ({ address, family: 4 })),
      ...v6.map((address) => ({ address, family: 6 })),
    ],
  });
  return client;
}

const ask = (http: HttpClient, headers: Record<string, string> = {}) =>
  http.request({ method: 'POST', url: `http://rebind.example:${port}/`, headers, deadlineMs: 60_000 });

test('a name that changes between allowed and loopback with TTL 0 never leads to loopback', async () => {
  let turn = 0;
  const http = await clientOf(() => [(turn += 1) % 2 === 1 ? allowed : canaryAt]);
  // Connections are not kept alive, so each request connects anew.
  const results: string[] = [];
  for (let index = 0; index < 20; index += 1) {
    const result = await ask(http, { connection: 'close' });
    results.push(result.ok ? result.body.toString() : result.error);
  }
  expect(new Set(results)).toEqual(new Set(['receiver', 'blocked']));
  expect(touched).toBe(0);
  // One look-up per connect: the client connects to the vetted address.
  expect(dns.lookups()).toBe(20);
});

test('a connection that is kept alive stays at its vetted address', async () => {
  let turn = 0;
  const http = await clientOf(() => [(turn += 1) === 1 ? allowed : canaryAt]);
  for (let index = 0; index < 5; index += 1) {
    expect(await ask(http)).toMatchObject({ ok: true, body: Buffer.from('receiver') });
    // The connection is free again once the answer has been read.
    await tick();
  }
  expect(dns.lookups()).toBe(1);
  expect(touched).toBe(0);
});

test.each([
  ['A records', [allowed, canaryAt], []],
  ['A records, the other way round', [canaryAt, allowed], []],
  ['an allowed A and a loopback AAAA', [allowed], ['::1']],
  ['an allowed A and a mapped AAAA', [allowed], ['::ffff:7f00:1']],
])('one address that is not allowed refuses all: %s', async (_, v4, v6) => {
  const http = await clientOf(() => v4, v6);
  expect(await ask(http)).toMatchObject({ ok: false, error: 'blocked', written: false });
  expect(touched).toBe(0);
});
