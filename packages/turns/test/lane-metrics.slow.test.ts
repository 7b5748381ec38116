import { openWaker, type Waker } from '@notify/queue';
import { metrics } from '@notify/telemetry';
import { readMetrics, type RunningRedis, type Scraped, startRedis, testWith } from '@notify/testkit';
import { coalesceClaims } from '../src/coalesce-claims.ts';
import { laneLabels } from '../src/lane-metrics.ts';
import type { LaneTurns } from '../src/lane-turns.ts';
import { openLane } from '../src/open-lane.ts';
import { createPermits } from '../src/permits.ts';
import type { TurnWork } from '../src/turn.ts';
import { gate } from './ledger.ts';
import { untilDone } from './workbench.ts';

const test = testWith('redis-server');

interface Claim {
  readonly state: string;
}

let redis: RunningRedis;
let waker: Waker;
const lane = { kind: 'webhooks', lane: 'slow' } as const;
const onError = (): void => undefined;

beforeAll(async () => {
  redis = await startRedis();
  waker = openWaker({ redisUrl: redis.url, databaseUrl: '', partitions: 1, onError });
  await untilDone(() => waker.ping());
});
beforeEach(() => metrics.registry.resetMetrics());
afterAll(async () => {
  await waker.close();
  await redis.stop();
});

const read = async (): Promise<Scraped> => readMetrics(await metrics.registry.metrics());

/** A lane with two permits. Its turns claim what `claims` says, and work on it until `worked`. */
function open(
  claims: (id: string) => readonly Claim[],
  worked: Promise<void>,
  work?: (of: TurnWork<Claim>) => TurnWork<Claim> | null,
): LaneTurns {
  const left = new Map<string, readonly Claim[]>();
  const claim = coalesceClaims<null, Claim>(laneLabels(lane), async (wanted) => {
    const found = Array.from(wanted.keys(), (id) => [id, left.get(id) ?? claims(id)] as const);
    for (const [id] of found) left.set(id, []);
    return new Map(found);
  });
  const opened = openLane<Claim>({
    ...lane,
    redisUrl: redis.url,
    databaseUrl: '',
    partitions: 1,
    slots: 4,
    permits: createPermits(2),
    mediaPermits: createPermits(7),
    work(id) {
      const own: TurnWork<Claim> = {
        maxInFlight: () => 5,
        claim: async () => (await claim(id, null)) ?? [],
        finish: () => worked,
      };
      return work === undefined ? own : work(own);
    },
    nextDue: async () => [],
    onError,
    log: { tell: () => undefined, tells: () => false },
  });
  opened.addAll();
  return opened;
}

/** Tries until a scrape shows it. */
async function untilShown(isShown: (all: Scraped) => boolean): Promise<Scraped> {
  for (;;) {
    const all = await read();
    if (isShown(all)) return all;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const ends = (all: Scraped) => all.by('end', 'notify_turns_total', lane);

test('turns count by their end, claims by their state', async () => {
  const opened = open(
    (id) => (id === 'busy' ? [{ state: 'call' }, { state: 'taken-over' }] : []),
    Promise.resolve(),
  );
  await waker.wake('webhooks', 'slow', 'busy');
  await waker.wake('webhooks', 'slow', 'idle');
  const all = await untilShown((one) => one.sum('notify_turns_total') === 2);
  expect(ends(all)).toEqual({ done: 1, empty: 1 });
  expect(all.by('state', 'notify_claimed_total', lane)).toEqual({ call: 1, 'taken-over': 1 });
  expect(all.sum('notify_turn_duration_seconds_count', lane)).toBe(2);
  expect(all.sum('notify_claim_duration_seconds_count', lane)).toBeGreaterThanOrEqual(2);
  await opened.close();
});

test('a turn that another process must take is passed on, and one that throws has failed', async () => {
  const passing = open(
    () => [],
    Promise.resolve(),
    () => null,
  );
  await waker.wake('webhooks', 'slow', 'theirs');
  await untilShown((all) => ends(all)['passed-on'] === 1);
  await passing.close();
  const failing = open(
    () => [],
    Promise.resolve(),
    () => {
      throw new Error('the database is away');
    },
  );
  await waker.wake('webhooks', 'slow', 'broken');
  const all = await untilShown((one) => ends(one)['failed'] === 1);
  expect(ends(all)).toEqual({ 'passed-on': 1, failed: 1 });
  await failing.close();
});

test('a scrape shows running turns, slots and permits, and zeros when the lane is closed', async () => {
  const { opened: worked, open: finish } = gate();
  const opened = open(() => [{ state: 'call' }], worked);
  await waker.wake('webhooks', 'slow', 'one');
  await waker.wake('webhooks', 'slow', 'two');
  const calls = { ...lane, of: 'calls' };
  // Each has a permit, and waits for more.
  const all = await untilShown((one) => one.sum('notify_permits_waiting', calls) === 2);
  expect(all.sum('notify_turns_running', lane)).toBe(2);
  expect(all.sum('notify_turn_slots', lane)).toBe(4);
  expect(all.sum('notify_permits', calls)).toBe(2);
  expect(all.sum('notify_permits_in_use', calls)).toBe(2);
  expect(all.sum('notify_permits', { ...lane, of: 'media' })).toBe(7);
  finish();
  await opened.close();
  const after = await read();
  for (const name of ['turns_running', 'turn_slots', 'permits', 'permits_in_use', 'permits_waiting'])
    expect(after.sum(`notify_${name}`)).toBe(0);
});

test('linked devices are their own kind', () => {
  expect(laneLabels({ kind: 'dispatch', lane: 'whatsapp-web' })).toEqual({
    kind: 'whatsapp-web',
    lane: 'fast',
  });
});
