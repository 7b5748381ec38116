import { getEventListeners } from 'node:events';
import { metrics } from '@notify/telemetry';
import { createSettler } from './settler.ts';

// Each has its own settler, and they wait for its pauses together.

const forEver = Infinity;

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** A database that stores items unless `refuse` gives a reason, and records every run. */
function database(refuse: (items: readonly number[], run: number) => Error | null) {
  const runs: number[][] = [];
  const stored = new Set<number>();
  const settle = createSettler<number>({
    kind: 'messages',
    maxItems: 200,
    apartMs: 0,
    async run(items) {
      runs.push([...items]);
      await new Promise(setImmediate);
      const error = refuse(items, runs.length);
      if (error !== null) throw error;
      for (const item of items) stored.add(item);
    },
    onFailure: () => undefined,
  });
  return { runs, stored, settle };
}

const items = Array.from({ length: 200 }, (_, index) => index);

test.concurrent('items that come together are stored together', async () => {
  const { runs, settle } = database(() => null);
  await Promise.all(items.map((item) => settle(item, forEver)));
  expect(runs).toEqual([items]);
});

test.concurrent.each(['25006', '28P01', '57P01', 'ECONNREFUSED'])(
  'while the database is away (%s) nothing is given up, and one item at a time asks for it',
  async (code) => {
    const { runs, stored, settle } = database((_, run) => (run <= 3 ? failure(code) : null));
    await Promise.all(items.map((item) => settle(item, -forEver)));
    expect(stored.size).toBe(200);
    expect(runs.slice(0, 4).map((run) => run.length)).toEqual([200, 100, 50, 25]);
  },
);

test.concurrent.each(['40P01', '57014', '55P03', '25P02', 'P0001', '42501'])(
  'where each row fails now and then with %s, all are stored in the end',
  async (code) => {
    let state = 7;
    const chance = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    const { stored, settle } = database((run) => (run.some(() => chance() < 0.05) ? failure(code) : null));
    await Promise.all(items.map((item) => settle(item, forEver)));
    expect(stored.size).toBe(200);
  },
);

test.concurrent('an item that can never be stored is the only one to fail', async () => {
  const { stored, settle } = database((run) => (run.includes(77) ? failure('22021') : null));
  const ends = await Promise.allSettled(items.map((item) => settle(item, forEver)));
  expect(ends.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([77]);
  expect(stored.size).toBe(199);
});

test.concurrent.each([failure('P0001'), failure('42501'), new TypeError('a bug')])(
  'an item that always fails for a reason nobody knows is tried until its time is over: %s',
  async (error) => {
    const triedAlone = async (forMs: number): Promise<number> => {
      const { runs, stored, settle } = database((run) => (run.includes(77) ? error : null));
      const keepUntil = performance.now() + forMs;
      const ends = await Promise.allSettled(items.map((item) => settle(item, keepUntil)));
      expect(performance.now()).toBeGreaterThanOrEqual(keepUntil);
      expect(ends[77]).toEqual({ status: 'rejected', reason: error });
      expect(stored.size).toBe(199);
      return runs.filter((run) => run.length === 1 && run[0] === 77).length;
    };
    // A busy machine may need all of its time for the others.
    let forMs = 1_500;
    while ((await triedAlone(forMs)) < 2) forMs *= 2;
  },
);

test.concurrent('an item that cannot be stored for a long time does not delay the others', async () => {
  let isLocked = true;
  const { runs, settle } = database((run) => (isLocked && run.includes(0) ? failure('55P03') : null));
  const locked = settle(0, -forEver);
  for (let round = 1; round <= 5; round += 1)
    await Promise.all(items.slice(1).map((item) => settle(item + 1_000 * round, forEver)));
  // A known item fails alone: the others are not run with it.
  const failed = runs.filter((run) => run.includes(0));
  expect(failed.slice(8).every((run) => run.length === 1)).toBe(true);
  isLocked = false;
  await locked;
});

test('a settlement that is given up counts as a lost lease', async () => {
  const lost = async (): Promise<number> =>
    (await metrics.leasesLost.get()).values.find(({ labels }) => labels.kind === 'messages')?.value ?? 0;
  const before = await lost();
  const { settle } = database((run) => (run.includes(7) ? failure('P0001') : null));
  await expect(settle(7, -forEver)).rejects.toThrow('P0001');
  expect(await lost()).toBe(before + 1);
});

test.concurrent(
  'while too many items wait, no more work begins; then it does, or when its turn has to end',
  async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const settle = createSettler<number>({
      kind: 'messages',
      maxItems: 200,
      apartMs: 0,
      maxWaiting: 3,
      run: () => promise,
      onFailure: () => undefined,
    });
    const stopping = new AbortController();
    await settle.whenRoom(stopping.signal);
    const settled = items.slice(0, 3).map((item) => settle(item, forEver));
    const order: string[] = [];
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
    const waiting = settle.whenRoom(stopping.signal).then(() => order.push('room'));
    const other = new AbortController();
    const ending = settle.whenRoom(other.signal).then(() => order.push('ended'));
    other.abort();
    await ending;
    resolve();
    await Promise.all([...settled, waiting]);
    expect(order).toEqual(['ended', 'room']);
    // A worker asks before each claim, with the same signal for all its life.
    expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
  },
);
