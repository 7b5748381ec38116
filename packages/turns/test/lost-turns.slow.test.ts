import { setTimeout as delay } from 'node:timers/promises';
import type { Wake } from '@notify/core';
import type { Waker } from '@notify/queue';
import { describeWith, openQueueLosses, type QueueLosses, type QueuePart } from '@notify/testkit';
import { createOverdueWakes, type WakeOverdue } from '../src/overdue-wakes.ts';
import type { TurnLog } from '../src/partition-turns.ts';
import { gate, type Ledger } from './ledger.ts';
import { type StoreUnderTest, stores } from './stores.ts';
import { type Bench, farAwayMs, openBench } from './workbench.ts';

const ids = ['waiting', 'after-others', 'delayed', 'running'];
const rounds = 12;
/** How often the ids are woken while they have no turn. */
const sweepMs = 50;
/** A turn that does not come in this time never comes. */
const stuckMs = 60_000;

/** More often than a worker renews the lock of a turn while a lock that stays the same is not yet lost. */
const renewals = 11;

/** The names in a queue's parts differ with each run but in their last part. */
const kindOf = ({ name }: QueuePart): string => name.split(/[: ]/).at(-1)!;
/** A row of a job or of a check for stalled jobs, with the time of a clock that is an hour ahead. */
function anHourLater(row: string): string {
  const { locked_until_ms: lockedUntil, value, ...others } = JSON.parse(row) as Record<string, unknown>;
  if (value !== undefined) return JSON.stringify({ ...others, value: String(Number(value) + farAwayMs) });
  return JSON.stringify({ ...others, locked_until_ms: Number(lockedUntil) + farAwayMs });
}

const lists: ReadonlySet<string> = new Set(['wait', 'active', 'prioritized', 'delayed']);

const single = stores.filter(({ name }) => name === 'Redis' || name === 'Postgres');

for (const { name, needs, open } of single)
  describeWith(...needs)(`a queue in ${name} that has lost some of its parts`, () => {
    let under: StoreUnderTest;
    let losses: QueueLosses;
    let bench: Bench;
    let ledger: Ledger;
    let waker: Waker;
    let told: string[];
    let sweep: WakeOverdue;

    beforeAll(async () => {
      under = await open();
      losses = openQueueLosses(under.store);
    });
    beforeEach(async () => {
      await under.wipe();
      bench = openBench(under.store);
      ledger = bench.ledger;
      waker = await bench.waker();
      told = [];
      const log: Pick<TurnLog, 'tell'> = { tell: (...[event]) => void told.push(event) };
      sweep = createOverdueWakes({ kind: 'dispatch', waker, log });
    });
    afterEach(() => bench.close());
    afterAll(async () => {
      await losses.close();
      await under.remove();
    });

    const wakes = (some: readonly string[]): Wake[] =>
      some.map((id) => ({ lane: 'fast', id, afterOthers: true }));

    /** One turn that runs, with a wake that came meanwhile, and one of each that waits. Resolves to what ends the turn. */
    async function fill(): Promise<() => void> {
      const end = gate();
      const turns = bench.work({
        slots: 1,
        turn: ({ id }) => (id === 'running' ? end.opened : Promise.resolve()),
      });
      await waker.wake('dispatch', 'fast', 'running');
      await ledger.until(() => ledger.runs('running') > 0 && turns.active === 1);
      await waker.wake('dispatch', 'fast', 'running', farAwayMs);
      await waker.wake('dispatch', 'fast', 'waiting');
      await waker.wakeMany('dispatch', wakes(['after-others']));
      await waker.wake('dispatch', 'fast', 'delayed', farAwayMs);
      return end.open;
    }

    /** Sweeps as the workers do, until every id has had another turn than those of `before`. */
    async function untilTurns(
      before: ReadonlyMap<string, number>,
      lost: readonly QueuePart[] = [],
    ): Promise<void> {
      const deadline = performance.now() + stuckMs;
      for (;;) {
        const overdue = ids.filter((id) => ledger.runs(id) === before.get(id));
        if (overdue.length === 0) return;
        if (performance.now() > deadline)
          throw new Error(`stuck: ${overdue.join(', ')} after ${lost.map((part) => part.name).join(', ')}`);
        await sweep(wakes(overdue));
        await delay(sweepMs);
      }
    }

    const runs = (): Map<string, number> => new Map(ids.map((id) => [id, ledger.runs(id)]));

    test('gives every id a turn again, whatever it has lost', async () => {
      const chances = [0.1, 0.5, 0.9];
      for (let round = 0; round < rounds; round += 1) {
        const end = await fill();
        const chance = chances[round % chances.length]!;
        const lost = (await losses.parts()).filter(() => Math.random() < chance);
        await losses.lose(lost);
        const before = runs();
        end();
        await untilTurns(before, lost);
        expect(ids.filter((id) => ledger.runs(id) === before.get(id))).toEqual([]);
        await bench.close();
        await under.wipe();
        bench = openBench(under.store);
        ({ ledger } = bench);
        waker = await bench.waker();
        sweep = createOverdueWakes({ kind: 'dispatch', waker, log: { tell: () => undefined } });
      }
    });

    test('gives every id a turn again when older parts come back one by one', async () => {
      const end = await fill();
      const older = await losses.parts();
      end();
      await untilTurns(new Map(ids.map((id) => [id, 0])));
      await bench.close();
      bench = openBench(under.store);
      ({ ledger } = bench);
      waker = await bench.waker();
      sweep = createOverdueWakes({ kind: 'dispatch', waker, log: { tell: () => undefined } });
      await losses.restore(older.filter((_part, index) => index % 2 === 0));
      await losses.restore(older);
      bench.work();
      const before = runs();
      await untilTurns(before);
      expect(ids.filter((id) => ledger.runs(id) === before.get(id))).toEqual([]);
    });

    test('keeps the turns that wait or run, however often their ids are swept', async () => {
      const end = await fill();
      for (let sweeps = 0; sweeps < 5; sweeps += 1) {
        await sweep(wakes(ids));
        expect(await waker.freeLost('dispatch', wakes(ids))).toEqual([]);
      }
      end();
      await ledger.until(() => ids.every((id) => ledger.runs(id) > (id === 'running' ? 1 : 0)));
      expect(ledger.mostAtOnce).toBe(1);
      expect(ledger.begun).toHaveLength(ids.length + 1);
      expect(told).toEqual([]);
    });

    if (name === 'Postgres')
      test('frees the turn of a killed process whose clock was an hour ahead', async () => {
        const doomed = await bench.workInProcess(farAwayMs);
        await waker.wake('dispatch', 'fast', 'running');
        await ledger.until(() => doomed.ids.length === 1);
        await doomed.kill();
        const ahead = (await losses.parts()).filter(({ name }) => /^job |stalled-check$/.test(name));
        await losses.restore(ahead.map((part) => ({ ...part, content: anHourLater(String(part.content)) })));
        bench.work();
        while (ledger.runs('running') === 1) {
          await sweep(wakes(['running']));
          await delay(sweepMs);
        }
        expect(told).toContain('lost-turns-woken');
      });

    if (name === 'Postgres')
      test('keeps a turn that runs where the clock is an hour ahead of the one of Postgres', async () => {
        const ahead = await bench.workInProcess(farAwayMs, farAwayMs);
        await waker.wake('dispatch', 'fast', 'running');
        await ledger.until(() => ahead.ids.length === 1);
        const locks = new Set<unknown>();
        while (locks.size < renewals) {
          await sweep(wakes(['running']));
          const job = (await losses.parts()).find((part) => part.name.startsWith('job '))!;
          const { locked_until_ms: lockedUntil } = JSON.parse(String(job.content)) as Record<string, unknown>;
          expect(lockedUntil).toBeGreaterThan(Date.now() + farAwayMs / 2);
          locks.add(lockedUntil);
          await delay(sweepMs);
        }
        expect(ahead.ids).toEqual(['running']);
        expect(told).toEqual([]);
      });

    if (name === 'Redis')
      test('tells of the turns that it wakes anew', async () => {
        const end = await fill();
        await losses.lose((await losses.parts()).filter((part) => lists.has(kindOf(part))));
        const before = runs();
        end();
        await untilTurns(before);
        expect(new Set(told)).toEqual(new Set(['lost-turns-woken']));
      });
  });
