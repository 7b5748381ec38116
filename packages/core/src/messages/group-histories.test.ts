import { Broken, GroupWorld, type Setting } from '../../test/group-world.ts';
import { moveGroup } from './group.ts';
import type { Outcome, ReceiptStatus } from './outcome.ts';

/** A generator of numbers that repeats itself with its seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
const pick = <One>(random: Random, list: readonly One[]): One => list[Math.floor(random() * list.length)]!;
const chance = (random: Random, of: number): boolean => random() < of;

function settingOf(random: Random): Setting {
  const reports = chance(random, 0.85);
  return {
    routes: 1 + Math.floor(random() * 4),
    advanceMs: pick(random, [10_000, 20_000, 60_000]),
    lifeMs: pick(random, [30_000, 60_000, 200_000]),
    reports,
    callMs: pick(random, [1_000, 10_000, 30_000]),
    unknown: {
      repeatIsSafe: chance(random, 0.2),
      reportsBack: reports && chance(random, 0.8),
      policy: pick(random, ['at-least-once', 'at-most-once'] as const),
      receiptWaitMs: pick(random, [5_000, 120_000]),
    },
  };
}

const outcomes: readonly (readonly [Outcome, boolean])[] = [
  [{ kind: 'accepted', externalId: 'x' }, true],
  [{ kind: 'accepted', externalId: 'x' }, true],
  [{ kind: 'accepted', externalId: 'x' }, true],
  [{ kind: 'rejected', errorCode: 'blocked', text: '' }, false],
  [{ kind: 'retry', errorCode: 'busy', text: '' }, false],
  [{ kind: 'throttled', afterMs: 2_000, scope: 'recipient', text: '' }, false],
  [{ kind: 'unknown', text: '' }, true],
  [{ kind: 'unknown', text: '' }, false],
];
const statuses: readonly ReceiptStatus[] = ['sent', 'delivered', 'delivered', 'read', 'failed'];

/** A receipt about a message that a provider has: late, twice or wrong as it may be. */
function report(world: GroupWorld, random: Random): void {
  if (world.handed.size === 0 || !world.setting.reports) return;
  const receipt = { message: pick(random, [...world.handed]), status: pick(random, statuses) };
  if (chance(random, 0.3)) world.stored.push(receipt);
  else world.apply(receipt);
}

/** Everything that can happen next. Most steps are those of workers that work. */
const steps: readonly ((world: GroupWorld, random: Random) => void)[] = [
  (world) => world.claim(),
  (world) => world.claim(),
  (world, random) => answerOne(world, random),
  (world, random) => answerOne(world, random),
  (world, random) => {
    if (world.ended.length > 0) world.settle(pick(random, world.ended));
  },
  (world, random) => {
    if (world.ended.length > 0) world.settle(pick(random, world.ended));
  },
  (world, random) => {
    const all = [...world.calls, ...world.ended];
    if (all.length > 0 && chance(random, 0.3)) world.crash(pick(random, all), chance(random, 0.5));
  },
  report,
  (world, random) => {
    if (world.stored.length > 0) world.applyStored(pick(random, world.stored));
  },
  (world) => world.expire(),
  (world, random) => {
    if (chance(random, 0.05)) world.cancel(Math.floor(random() * world.messages.length));
  },
  lookIfDue,
  lookIfDue,
  (world, random) => {
    world.now += Math.floor(random() * 3_000);
  },
  (world, random) => {
    world.now += pick(random, [500, 5_000, 15_000, 60_000]);
  },
  // Another server has taken over, and its clock is behind.
  (world, random) => {
    if (chance(random, 0.05)) world.now -= Math.floor(random() * 2_000);
  },
];

/** A call lasts no longer than its deadline, and its settlement may be late. */
function answerOne(world: GroupWorld, random: Random): void {
  const [call] = world.calls;
  if (call === undefined) return;
  if (call.kind !== 'call') return world.answer(call, { kind: 'unknown', text: '' }, false);
  const [outcome, reached] = pick(random, outcomes);
  world.answer(call, outcome, reached);
}

function lookIfDue(world: GroupWorld): void {
  if (world.looks.some((at) => at <= world.now)) world.look();
}

/** No call lasts longer than its deadline: time does not pass over the end of one. */
function endCalls(world: GroupWorld, random: Random): void {
  for (const call of world.calls.filter(({ endsAt }) => endsAt <= world.now))
    if (call.kind === 'call' && chance(random, 0.8))
      world.answer(call, { kind: 'unknown', text: '' }, chance(random, 0.5));
    else world.crash(call, chance(random, 0.5));
}

/** Nothing more is reported. Whatever works goes on, and time passes, until nothing is left to do. */
function drain(world: GroupWorld, random: Random): void {
  for (let round = 0; round < 400 && !(world.over && world.looks.length === 0); round += 1) {
    world.now += 5_000;
    endCalls(world, random);
    while (world.ended.length > 0) world.settle(world.ended[0]!);
    while (world.stored.length > 0) world.applyStored(world.stored[0]!);
    world.expire();
    lookIfDue(world);
  }
}

/** The rules that hold once nothing is left to do. */
function judgeEnd(world: GroupWorld): void {
  const delivered = world.messages.filter(({ state }) => state.status === 'delivered').length;
  const shown = { status: world.status, twice: world.deliveredTwice, ended: world.isEnded };
  if (!world.over || world.looks.length > 0) throw new Broken('the group has not ended');
  if (world.messages.some(({ state, due }) => state.status === 'queued' || due !== null))
    throw new Broken('a message of an ended group waits');
  if ((world.status === 'delivered') !== delivered > 0)
    throw new Broken(`not as delivered: ${JSON.stringify(shown)}`);
  if (world.deliveredTwice !== delivered > 1) throw new Broken(`twice or not: ${JSON.stringify(shown)}`);
  const last = world.messages.at(-1)!.state.status;
  if (delivered === 0 && world.status !== last) throw new Broken(`${world.status} with a last route ${last}`);
  if (world.told.includes('delivered') !== delivered > 0) throw new Broken('a delivery that was not told');
  if (world.status === 'failed' && !world.told.includes('failed'))
    throw new Broken('a failure that was not told');
}

interface Seen {
  readonly world: GroupWorld;
  readonly broken: string | null;
}

function live(seed: number, move = moveGroup): Seen {
  const random = seeded(seed);
  const world = new GroupWorld(settingOf(random), move, random);
  try {
    const length = 20 + Math.floor(random() * 80);
    for (let step = 0; step < length; step += 1) {
      pick(random, steps)(world, random);
      endCalls(world, random);
    }
    drain(world, random);
    judgeEnd(world);
    return { world, broken: null };
  } catch (error) {
    if (error instanceof Broken) return { world, broken: error.message };
    throw error;
  }
}

test('in 100,000 histories no two routes are under way, none begins after a delivery, and every group ends', () => {
  const ends = new Map<string, number>();
  const broken: string[] = [];
  for (let seed = 1; seed <= 100_000; seed += 1) {
    const seen = live(seed);
    if (seen.broken !== null) broken.push(`${seed}: ${seen.broken}`);
    const { status, deliveredTwice, messages } = seen.world;
    for (const word of [status, deliveredTwice ? 'twice' : 'once', `${messages.length} routes`])
      ends.set(word, (ends.get(word) ?? 0) + 1);
  }
  expect(broken).toEqual([]);
  // Histories of every kind were among them.
  for (const word of ['sent', 'delivered', 'failed', 'twice', '1 routes', '2 routes', '3 routes', '4 routes'])
    expect([word, (ends.get(word) ?? 0) > 500]).toEqual([word, true]);
});

/** Decisions with a fault, and what gives each away. */
const faults: Readonly<Record<string, readonly [typeof moveGroup, RegExp]>> = {
  'that waits for no call': [(facts) => moveGroup({ ...facts, inCall: false }), /in a call|under way/],
  'that reads no receipts': [(facts) => moveGroup({ ...facts, unreadReceipts: false }), /unread/],
  'that cancels nothing': [
    (facts) => ({ ...moveGroup(facts), stop: null }),
    /waits|under way|left|not ended/,
  ],
  'that forgets a delivery': [
    (facts) =>
      moveGroup({
        ...facts,
        messages: facts.messages.map((one) =>
          one.status === 'delivered' ? { ...one, status: 'sent' } : one,
        ),
      }),
    /delivered/,
  ],
  'that looks only once': [(facts) => ({ ...moveGroup(facts), lookAgain: null }), /not ended/],
  'that takes the time of a route for over': [
    (facts) => moveGroup({ ...facts, routeOver: true }),
    /before the time/,
  ],
  'that counts no second delivery': [(facts) => ({ ...moveGroup(facts), deliveredTwice: false }), /twice/],
};

test.each(Object.entries(faults))('a decision %s is found out', (_what, [move, gives]) => {
  const found = new Set<string>();
  for (let seed = 1; seed <= 3_000; seed += 1) found.add(live(seed, move).broken ?? '');
  expect([...found].some((broken) => gives.test(broken))).toBe(true);
});
