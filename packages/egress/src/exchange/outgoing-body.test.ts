import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { startHttpServer, type TestServer, withEnoughTime } from '@notify/testkit';
import type { HttpClient, StreamedBody } from '../http-client.ts';
import { createHttpClient } from './create-client.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(connectionsPerOrigin = 16): HttpClient {
  const made = createHttpClient({ allowPrivate: true, allow: [], userAgent: 'Test/1', connectionsPerOrigin });
  closers.push(() => made.close());
  return made;
}

async function http(answer: RequestListener): Promise<TestServer> {
  const server = await startHttpServer(answer);
  closers.push(() => server.close());
  return server;
}

const post = (url: string, body: StreamedBody, deadlineMs = 60_000) =>
  ({ method: 'POST', url, body, deadlineMs }) as const;

interface Source extends StreamedBody {
  readonly opened: number;
  readonly read: number;
  readonly closed: boolean;
}

/** A source of `count` chunks of 64 KB. It counts the chunks that are read. */
function source(count: number, length = count * 65_536): Source {
  const seen = { opened: 0, read: 0, closed: false };
  return {
    length,
    get opened() {
      return seen.opened;
    },
    get read() {
      return seen.read;
    },
    get closed() {
      return seen.closed;
    },
    async *open() {
      seen.opened += 1;
      try {
        for (; seen.read < count; seen.read += 1) yield Buffer.alloc(65_536, seen.read);
      } finally {
        seen.closed = true;
      }
    },
  };
}

test('a streamed body arrives whole, with its exact length and not in chunks', async () => {
  const server = await http(({ headers }, response) => {
    let bytes = 0;
    response.req.on('data', (chunk: Buffer) => (bytes += chunk.length));
    response.req.on('end', () => response.end(JSON.stringify({ bytes, headers })));
  });
  const body = source(100);
  const result = await client().request(post(server.url, body));
  if (!result.ok) throw new Error(result.text);
  const seen = JSON.parse(result.body.toString());
  expect(seen.bytes).toBe(6_553_600);
  expect(seen.headers).toMatchObject({ 'content-length': '6553600' });
  expect(seen.headers).not.toHaveProperty('transfer-encoding');
  expect([body.opened, body.closed]).toEqual([1, true]);
});

test('a peer that does not read holds the source back; at the deadline the request counts as unsent', async () => {
  const server = await http(() => undefined);
  const body = source(10_000);
  const result = await client().request(post(server.url, body, 300));
  expect(result).toMatchObject({ ok: false, error: 'timeout', written: false });
  expect(body.read).toBeLessThan(500);
  while (!body.closed) await new Promise(setImmediate);
});

test('after the last byte, a missing answer is an unknown outcome', async () => {
  const server = await http((request) => void request.resume());
  const result = await withEnoughTime(
    300,
    (deadlineMs) => client().request(post(server.url, source(3), deadlineMs)),
    (answer) => !answer.ok && answer.written,
  );
  expect(result).toMatchObject({ ok: false, error: 'timeout', written: true });
});

test.each<[string, StreamedBody, string]>([
  [
    'fails',
    {
      length: 100,
      async *open() {
        yield Buffer.alloc(10);
        throw new Error('disk gone');
      },
    },
    'the body could not be read: disk gone',
  ],
  ['is too short', source(1, 65_537), 'the body is shorter than it was said to be'],
  ['is too long', source(2, 65_537), 'the body is longer than it was said to be'],
])('a source that %s aborts the request, and the peer never has the whole', async (_, body, text) => {
  const ends: Promise<unknown>[] = [];
  const server = await http((request) => {
    ends.push(once(request, 'close').then(() => request.complete));
    request.on('error', () => undefined).resume();
  });
  const result = await client().request(post(server.url, body));
  expect(result).toMatchObject({ ok: false, error: 'aborted', text, written: false });
  expect(await Promise.all(ends)).not.toContain(true);
});

test('a source is opened only once a connection is free', async () => {
  const server = await http(() => undefined);
  const one = client(1);
  const first = one.request({ method: 'GET', url: server.url, deadlineMs: 60_000 });
  const body = source(1);
  expect(await one.request(post(server.url, body, 50))).toMatchObject({ error: 'timeout', written: false });
  server.close();
  await first;
  expect(await one.request(post(server.url, body))).toMatchObject({ error: 'refused', written: false });
  expect(body.opened).toBe(0);
});

test('an early answer counts, and closes the source', async () => {
  const server = await http((_, response) => response.writeHead(413).end('too much'));
  const body = source(10_000);
  expect(await client().request(post(server.url, body))).toMatchObject({ ok: true, status: 413 });
  while (!body.closed) await new Promise(setImmediate);
  expect(body.read).toBeLessThan(10_000);
});
