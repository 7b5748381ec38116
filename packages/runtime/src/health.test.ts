import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Check, healthHandlers, type HealthServer, startHealthServer } from './health.ts';

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
  server = await startHealthServer({ host: '127.0.0.1', port: 0, checks, required: ['postgres'], timeoutMs });
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
