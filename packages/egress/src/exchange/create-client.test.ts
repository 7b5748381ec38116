import type { RequestListener } from 'node:http';
import { startHttpServer, type TestServer } from '@notify/testkit';
import type { HttpClient } from '../http-client.ts';
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

const get = (url: string, deadlineMs = 60_000) => ({ method: 'GET', url, deadlineMs }) as const;

test('a post arrives byte for byte, with its exact length, our headers and no requested content coding', async () => {
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
    deadlineMs: 60_000,
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

test('connections are kept alive, up to the limit of one origin', async () => {
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

test('a redirect is an answer and is not followed', async () => {
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
  ])('an address in the URL is judged without a look-up: %s', async (host) => {
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

  test('http can be refused except for exceptions', async () => {
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

  test('a name that leads to loopback is blocked even if its other addresses are public', async () => {
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

  test('the connection goes to the vetted address, without a second look-up', async () => {
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

  test('every new connection is vetted again, even to an origin that was allowed before', async () => {
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

  test.each([[[loopback]], [[loopback, { address: '::1', family: 6 }]]])(
    'where a name that is excepted leads to is not told when nobody answers there: %j',
    async (addresses) => {
      const closed = await http((_, response) => response.end());
      closed.close();
      const excepted = client({
        allowPrivate: false,
        allow: [`gw.local:${closed.port}`],
        lookup: async () => addresses,
      });
      expect(await excepted.request(get(`http://gw.local:${closed.port}/`))).toMatchObject({
        error: 'refused',
        text: 'connect ECONNREFUSED',
      });
    },
  );

  test('an exception for a host and port allows any address at that port only', async () => {
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

test('interim answers are skipped', async () => {
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
