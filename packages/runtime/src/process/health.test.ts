import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Check, healthHandlers, type HealthServer, startHealthServer } from './health.ts';
import type { MetricsOptions } from './metrics-page.ts';

const local = { host: '127.0.0.1', port: 0 };

const passes: Check = async () => undefined;
const fails: Check = async () => {
  throw new Error('away');
};

let server: HealthServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(checks: Record<string, Check>, timeoutMs = 2_000): Promise<void> {
  server = await startHealthServer({ ...local, checks, required: ['postgres'], timeoutMs });
}

async function get(path: string): Promise<[number, unknown]> {
  const response = await fetch(`http://127.0.0.1:${server?.port}${path}`);
  return [response.status, await response.json()];
}

test('a process whose checks pass is alive and ready', async () => {
  await serve({ postgres: passes, queue: passes });
  expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await get('/readyz')).toEqual([200, { status: 'ok', checks: { postgres: 'ok', queue: 'ok' } }]);
  expect(await get('/other')).toEqual([404, { status: 'not-found' }]);
});

test('a path says which methods it takes', async () => {
  await serve({ postgres: passes });
  const ask = async (method: string, path: string): Promise<unknown[]> => {
    const answer = await fetch(`http://127.0.0.1:${server?.port}${path}`, { method });
    return [answer.status, answer.headers.get('allow'), await answer.text()];
  };
  expect(await ask('POST', '/readyz')).toEqual([405, 'GET, HEAD', '{"status":"method-not-allowed"}']);
  expect(await ask('OPTIONS', '/healthz?x')).toEqual([204, 'GET, HEAD', '']);
  expect(await ask('HEAD', '/healthz')).toEqual([200, null, '']);
  expect(await ask('OPTIONS', '/other')).toEqual([404, null, '{"status":"not-found"}']);
});

test('when a required check fails, the process is alive but not ready', async () => {
  await serve({ postgres: fails, queue: fails });
  expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
  expect(await get('/readyz')).toEqual([
    503,
    { status: 'failed', checks: { postgres: 'failed', queue: 'degraded' } },
  ]);
});

test('when another check fails, the process is ready and names the degraded check', async () => {
  await serve({ postgres: passes, queue: fails });
  expect(await get('/readyz')).toEqual([
    200,
    { status: 'degraded', checks: { postgres: 'ok', queue: 'degraded' } },
  ]);
});

test('a check that never answers, or throws at once, counts as failed', async () => {
  const hangs: Check = () => new Promise(() => undefined);
  const throws: Check = () => {
    throw new Error('at once');
  };
  await serve({ postgres: hangs, queue: throws }, 20);
  const [status, body] = await get('/readyz');
  expect([status, body]).toEqual([
    503,
    { status: 'failed', checks: { postgres: 'failed', queue: 'degraded' } },
  ]);
});

test('a process that is about to end is alive but not ready, whatever the checks say', async () => {
  const ending = new AbortController();
  const options = { checks: { postgres: passes }, required: ['postgres'], ending: ending.signal };
  server = await startHealthServer({ ...local, ...options });
  expect(await get('/readyz')).toEqual([200, { status: 'ok', checks: { postgres: 'ok' } }]);
  ending.abort();
  expect(await get('/readyz')).toEqual([503, { status: 'failed', checks: { ending: 'failed' } }]);
  expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
});

test('requests during a check share its result', async () => {
  let runs = 0;
  let arrived = 0;
  const { promise: allArrived, resolve: release } = Promise.withResolvers<void>();
  const asked: Check = () => {
    runs += 1;
    return allArrived;
  };
  const handlers = healthHandlers({ checks: { postgres: asked }, required: ['postgres'] });
  const own = createServer((request, response) => {
    handlers.readyz(request, response);
    arrived += 1;
    if (arrived === 10) release();
  }).listen(0, '127.0.0.1');
  await once(own, 'listening');
  const url = `http://127.0.0.1:${(own.address() as AddressInfo).port}`;
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(url)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
  expect(runs).toBe(1);
  own.closeAllConnections();
  own.close();
});

test('a port that is taken is an error, not a crash', async () => {
  await serve({ postgres: passes });
  const second = startHealthServer({ host: '127.0.0.1', port: server?.port ?? 0, checks: {}, required: [] });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('/metrics', () => {
  const page = { contentType: 'text/plain; version=0.0.4; charset=utf-8', onError: () => undefined };
  const render = async () => 'notify_build_info 1\n';

  async function serveMetrics(metrics: Partial<MetricsOptions> | null): Promise<void> {
    const options = metrics === null ? null : { ...page, render, token: null, ...metrics };
    server = await startHealthServer({ ...local, checks: {}, required: [], metrics: options });
  }
  const scrape = (init: RequestInit = {}, path = '/metrics') =>
    fetch(`http://127.0.0.1:${server?.port}${path}`, init);

  test('is the text of Prometheus, also with a query and for HEAD', async () => {
    await serveMetrics({});
    for (const path of ['/metrics', '/metrics?name[]=notify_build_info']) {
      const answer = await scrape({}, path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, page.contentType]);
      expect(await answer.text()).toBe('notify_build_info 1\n');
    }
    const head = await scrape({ method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '20', '']);
  });

  test('requests within a second share one text', async () => {
    let renders = 0;
    let nowMs = 0;
    await serveMetrics({ render: async () => `notify_renders ${(renders += 1)}\n`, now: () => nowMs });
    const answers = await Promise.all(Array.from({ length: 20 }, () => scrape()));
    await scrape({ method: 'HEAD' });
    nowMs = 999;
    answers.push(await scrape());
    expect(new Set(await Promise.all(answers.map((answer) => answer.text())))).toEqual(
      new Set(['notify_renders 1\n']),
    );
    expect(renders).toBe(1);
    nowMs = 1_000;
    expect(await (await scrape()).text()).toBe('notify_renders 2\n');
    expect(renders).toBe(2);
  });

  test('a connection that sends many requests at once is closed after some', async () => {
    const text = 'notify_a_long_name 1\n'.repeat(2_000);
    await serveMetrics({ render: async () => text });
    const client = connect(server?.port ?? 0, '127.0.0.1');
    client.on('error', () => undefined);
    let bytes = 0;
    client.on('data', (chunk) => (bytes += chunk.length));
    client.write('GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(60_000));
    await new Promise((resolve) => client.on('close', resolve));
    expect(bytes).toBeLessThan(110 * text.length);
    expect((await scrape()).status).toBe(200);
  });

  test('takes no other method', async () => {
    await serveMetrics({});
    const answer = await scrape({ method: 'POST' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('is not found if it is off', async () => {
    await serveMetrics(null);
    expect((await scrape()).status).toBe(404);
  });

  test.each([
    ['none', null, 401],
    ['another token', 'Bearer not-the-token', 401],
    ['the beginning of the token', 'Bearer s3cret-toke', 401],
    ['the token as another kind', 'Basic s3cret-token', 401],
    ['the token', 'Bearer s3cret-token', 200],
    ['the token, in small letters', 'bearer s3cret-token', 200],
  ])('with a token, asked with %s', async (_, authorization, status) => {
    await serveMetrics({ token: 's3cret-token' });
    const answer = await scrape(authorization === null ? {} : { headers: { authorization } });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer realm="metrics"' : null);
    expect((await answer.text()).includes('notify_')).toBe(status === 200);
  });

  test('answers 500 if it cannot be made, and the process goes on', async () => {
    const errors: unknown[] = [];
    const fault = new Error('a gauge failed');
    await serveMetrics({ render: () => Promise.reject(fault), onError: (error) => errors.push(error) });
    expect((await scrape()).status).toBe(500);
    expect(errors).toEqual([fault]);
    expect(await get('/healthz')).toEqual([200, { status: 'ok' }]);
  });
});

test('an IPv6 address is served', async () => {
  server = await startHealthServer({ host: '::1', port: 0, checks: {}, required: [] });
  expect((await fetch(`http://[::1]:${server.port}/healthz`)).status).toBe(200);
});
