import { setTimeout as wait } from 'node:timers/promises';
import { startOtlpReceiver, startRawServer, until } from '@notify/testkit';
import { traceSpans } from '../metrics/traces.ts';
import { type StartedTraces, traces } from './index.ts';

const secret = 'sec=ret';
let started: StartedTraces;
let outages: (string | null)[];

/** Starts traces that go to `endpoint`. */
async function start(endpoint: string): Promise<void> {
  outages = [];
  started = await traces.start({
    endpoint,
    headers: `x-token=${encodeURIComponent(secret)}, x-other=1`,
    process: 'api',
    version: '1.2.3',
    instanceId: 'instance',
    ratio: 1,
    onOutage: (fault) => void outages.push(fault),
  });
}

function record(count: number): void {
  const trace = traces.traceOfMessage('019abcde-f012-7345-8678-9abcdef01234', null);
  for (let done = 0; done < count; done += 1)
    traces.span('call', { trace, beganAt: performance.now() - 5, attributes: { 'notify.attempt': 1 } });
}

async function counted(result: 'sent' | 'failed' | 'dropped'): Promise<number> {
  const { values } = await traceSpans.get();
  return values.find(({ labels }) => labels.result === result)?.value ?? 0;
}

beforeEach(() => traceSpans.reset());
afterEach(() => started.close());

test('spans reach the collector with the headers, and with the process as their resource', async () => {
  await using collector = await startOtlpReceiver();
  await start(`${collector.url}/`);
  const recordedAt = Date.now();
  record(1);
  await until(async () => collector.spans.length === 1);
  const [span] = collector.spans;
  expect(span).toMatchObject({
    traceId: '019abcdef012734586789abcdef01234',
    parentSpanId: '86789abcdef01234',
    name: 'call',
    kind: 1,
    attributes: { 'notify.attempt': 1 },
    resource: { 'service.name': 'notify-api', 'service.version': '1.2.3', 'service.instance.id': 'instance' },
  });
  expect(Number(span!.endedAt - span!.beganAt)).toBeGreaterThan(4e6);
  // Two clocks of one process may differ a little.
  expect(Number(span!.endedAt) / 1e6).toBeGreaterThan(recordedAt - 1_000);
  expect(Number(span!.endedAt) / 1e6).toBeLessThan(Date.now() + 1_000);
  expect(collector.received[0]!.headers).toMatchObject({ 'x-token': secret, 'x-other': '1' });
  expect(collector.received[0]!.headers).not.toHaveProperty('traceparent');
  await until(async () => (await counted('sent')) === 1);
});

test('a collector that answers 500 costs a bounded queue, and one line for the outage', async () => {
  await using collector = await startOtlpReceiver();
  collector.behave({ status: 500, body: `your token ${secret} is odd` });
  await start(collector.url);
  record(10_000);
  expect(await counted('dropped')).toBeGreaterThan(5_000);
  await until(async () => (await counted('failed')) >= 3 * 256);
  expect(outages).toEqual(['status 500']);
  collector.behave({});
  // All that waited may be lost by now.
  record(1);
  await until(async () => collector.spans.length > 0);
  await until(async () => outages.length === 2);
  expect(outages).toEqual(['status 500', null]);
});

test('a collector that is away is told once, and the end does not wait for its last batch', async () => {
  await start('http://127.0.0.1:1');
  record(300);
  // By the outage, since a batch of the test before may be counted here.
  await until(async () => outages.length > 0);
  record(300);
  await started.close();
  // Those that waited behind the batch under way, which needs more than three seconds to fail.
  expect(await counted('dropped')).toBe(300 + 300 - 2 * 256);
  expect(outages).toEqual(['ECONNREFUSED']);
});

test('a collector that never answers holds up nobody', async () => {
  const server = await startRawServer(() => undefined);
  try {
    await start(server.url);
    record(10_000);
    await until(async () => server.connections > 0);
    await wait(50);
    // One request is under way, and no other begins beside it.
    expect(server.connections).toBe(1);
    expect(await counted('dropped')).toBeGreaterThanOrEqual(10_000 - 4_096 - 256);
    await started.close();
    // All but the batch under way, which would have failed after five seconds, and others after it.
    expect(await counted('dropped')).toBe(10_000 - 256);
  } finally {
    server.close();
  }
});

test('the last spans are sent at the end', async () => {
  await using collector = await startOtlpReceiver();
  await start(collector.url);
  record(1_000);
  await started.close();
  expect(collector.spans).toHaveLength(1_000);
  record(1);
  expect(traces.enabled).toBe(false);
});
