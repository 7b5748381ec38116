import { setTimeout as delay } from 'node:timers/promises';
import { partitionOf } from '@notify/queue';
import type { TurnContext } from '../src/turn.ts';
import { gate, type Ledger, openLedger } from './ledger.ts';
import { type StoreUnderTest, stores } from './stores.ts';
import { type Bench, farAwayMs, openBench, untilDone } from './workbench.ts';
import { describeWith } from '@notify/testkit';

/** To a client, the master behind Sentinel is a single server. */
const kinds = stores.filter(({ name }) => name !== 'Sentinel');

for (const { name, needs, open } of kinds)
  describeWith(...needs)(`turns in ${name}`, () => {
    let under: StoreUnderTest;
    let bench: Bench;
    let ledger: Ledger;

    beforeAll(async () => {
      under = await open();
    });
    beforeEach(async () => {
      await under.wipe();
      bench = openBench(under.store);
      ledger = bench.ledger;
    });
    afterEach(() => bench.close());
    afterAll(() => under.remove());

    test('3,000 wakes of one id never run two turns at once, and none is lost', async () => {
      let fact = 0;
      let seen = 0;
      const turn = async () => void (seen = fact);
      bench.work({ turn });
      bench.work({ turn });
      const [even, odd] = await Promise.all([bench.waker(), bench.waker()]);
      for (let wave = 0; wave < 30; wave += 1) {
        await Promise.all(
          Array.from({ length: 100 }, (_, number) => {
            fact += 1;
            return (number % 2 ? even : odd).wake('dispatch', 'fast', 'one');
          }),
        );
      }
      await ledger.until(() => seen === 3_000);
      expect(ledger.mostAtOnce).toBe(1);
      expect(ledger.runs('one')).toBeLessThan(3_000);
    });

    test('of 300 wakes at the very end of a turn none is lost', async () => {
      const facts = new Map<string, number>();
      const seen = new Map<string, number>();
      bench.work({
        async turn({ id }) {
          seen.set(id, facts.get(id)!);
          await delay(2);
        },
      });
      // A waker would send the second wake of an id 50 ms after the first.
      const [first, second] = await Promise.all([bench.waker(), bench.waker()]);
      const race = async (number: number): Promise<void> => {
        const id = `id-${number}`;
        facts.set(id, 0);
        await first.wake('dispatch', 'fast', id);
        await ledger.until(() => seen.has(id));
        await delay(number % 6);
        facts.set(id, 1);
        await second.wake('dispatch', 'fast', id);
        await ledger.until(() => seen.get(id) === 1);
      };
      for (let done = 0; done < 300; done += 5)
        await Promise.all([0, 1, 2, 3, 4].map((number) => race(done + number)));
      expect(ledger.mostAtOnce).toBe(1);
    });

    test('turns that continue a backlog begin after all others', async () => {
      const waker = await bench.waker();
      const order: string[] = [];
      await waker.wakeMany('dispatch', [
        { lane: 'fast', id: 'backlog', afterOthers: true },
        { lane: 'fast', id: 'other' },
      ]);
      await waker.wake('dispatch', 'fast', 'new');
      bench.work({ slots: 1, turn: async ({ id }) => void order.push(id) });
      await ledger.until(() => order.length === 3);
      expect(order).toEqual(['other', 'new', 'backlog']);
    });

    test('a wake without delay pulls a delayed turn forward', async () => {
      bench.work();
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one', farAwayMs);
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') > 0);
      expect(ledger.runs('one')).toBe(1);
    });

    test('a delayed wake does not postpone an earlier one', async () => {
      bench.work();
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one', 300);
      await waker.wake('dispatch', 'fast', 'one', farAwayMs);
      await ledger.until(() => ledger.runs('one') > 0);
      expect(ledger.runs('one')).toBe(1);
    });

    test('a delayed wake runs no earlier than it says', async () => {
      bench.work();
      const waker = await bench.waker();
      const asked = Date.now();
      await waker.wake('dispatch', 'fast', 'one', 400);
      await ledger.until(() => ledger.runs('one') === 1);
      expect(Date.now() - asked).toBeGreaterThanOrEqual(400);
    });

    test('wakes during a run cause one more run, and only one', async () => {
      const end = gate();
      bench.work({ slots: 1, turn: () => end.opened });
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') === 1);
      await Promise.all([1, 2, 3].map(() => waker.wake('dispatch', 'fast', 'one')));
      end.open();
      await ledger.until(() => ledger.runs('one') === 2);
      await waker.wake('dispatch', 'fast', 'last');
      await ledger.until(() => ledger.runs('last') === 1);
      expect(ledger.begun).toEqual(['one', 'one', 'last']);
    });

    test('an id that is woken during every turn goes to a worker that is added, too', async () => {
      const waker = await bench.waker();
      const turn = async ({ id }: TurnContext): Promise<void> => {
        // Longer than wakes of an id are kept apart, so that this one comes while the turn runs.
        await waker.wake('dispatch', 'fast', id);
        await delay(60);
      };
      const nextDue = async (id: string) => ({ id, delayMs: 0, lane: 'fast' as const });
      bench.work({ turn, nextDue });
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') > 3);
      const added = openLedger();
      bench.work({ turn, nextDue }, added);
      await added.until(() => added.runs('one') > 3);
      const before = ledger.runs('one');
      await ledger.until(() => ledger.runs('one') > before);
      // The first keeps its part, too.
      expect(ledger.runs('one')).toBeGreaterThan(before);
    });

    test('after each turn the id is woken for when it is due next, in the lane it belongs to', async () => {
      const answers = [{ delayMs: 0 }, { delayMs: 30 }, { delayMs: 0.4 }].map((due) => ({
        ...due,
        id: 'one',
        lane: 'fast' as const,
      }));
      const slow = openLedger();
      bench.work({ nextDue: async () => answers.shift() ?? { id: 'one', delayMs: 0, lane: 'slow' } });
      bench.work({ lane: 'slow' }, slow);
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await slow.until(() => slow.runs('one') === 1);
      expect(ledger.runs('one')).toBeGreaterThanOrEqual(4);
    });

    test('an id whose turns fail gets them ever more seldom, and other ids as before', async () => {
      const failedAt: number[] = [];
      bench.work({
        async turn({ id }) {
          if (id !== 'failing') return;
          failedAt.push(performance.now());
          throw new Error('the database refuses it');
        },
        nextDue: async (id) => ({ id, delayMs: id === 'failing' ? 0 : 100, lane: 'fast' }),
      });
      const waker = await bench.waker();
      await waker.wakeMany(
        'dispatch',
        ['failing', 'working'].map((id) => ({ lane: 'fast', id })),
      );
      const wakes = setInterval(() => void waker.wake('dispatch', 'fast', 'failing'), 50);
      await ledger.until(() => failedAt.length === 4);
      clearInterval(wakes);
      // 250, 500 and 1,000 ms, each a quarter shorter at most, whoever wakes it meanwhile.
      expect(failedAt[3]! - failedAt[0]!).toBeGreaterThanOrEqual(1_300);
      expect(ledger.runs('working')).toBeGreaterThan(4);
    });

    test('a turn that throws, and a next due time that cannot be read, do not stop later turns of the id', async () => {
      let fails = true;
      const askedInVain = gate();
      bench.work({
        async turn() {
          if (fails) throw new Error('the turn failed');
        },
        async nextDue(id) {
          if (!fails) {
            askedInVain.open();
            throw new Error('the database is away');
          }
          fails = false;
          return { id, delayMs: 0, lane: 'fast' };
        },
      });
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await askedInVain.opened;
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') === 3);
      expect(ledger.begun).toEqual(['one', 'one', 'one']);
    });

    test('many wakes at once, some for ids that already wait, run each id', async () => {
      bench.work({ slots: 50 });
      const waker = await bench.waker();
      const ids = Array.from({ length: 700 }, (_, number) => `id-${number % 350}`);
      await waker.wakeMany(
        'dispatch',
        ids.map((id) => ({ lane: 'fast', id })),
      );
      await ledger.until(() => new Set(ledger.begun).size === 350);
      expect(ledger.mostAtOnce).toBe(1);
    });

    test('turns of all partitions are taken, of each kind and lane by its own workers only', async () => {
      const others = openLedger();
      bench.work({ partitions: 4 });
      bench.work({ partitions: 4, kind: 'webhooks' }, others);
      bench.work({ partitions: 4, lane: 'slow' }, others);
      const waker = await bench.waker(4);
      const ids = Array.from({ length: 40 }, (_, number) => `id-${number}`);
      // A wake that a busy store answers too late is repeated, as the sweeper does.
      await untilDone(() =>
        waker.wakeMany(
          'dispatch',
          ids.map((id) => ({ lane: 'fast', id })),
        ),
      );
      await ledger.until(() => ids.every((id) => ledger.runs(id) > 0));
      expect(others.begun).toEqual([]);
    });

    test('slots bound the turns that run at once, and tell them when all of their partition are taken', async () => {
      const end = gate();
      const contexts = new Map<string, TurnContext>();
      const turns = bench.work({
        slots: 4,
        partitions: 2,
        turn: (context) => {
          contexts.set(context.id, context);
          return end.opened;
        },
      });
      const waker = await bench.waker(2);
      const ids = Array.from({ length: 50 }, (_, number) => `id-${number}`);
      const [full, other] = [0, 1].map((partition) => ids.filter((id) => partitionOf(id, 2) === partition));
      await waker.wakeMany(
        'dispatch',
        [...full!.slice(0, 3), other![0]!].map((id) => ({ lane: 'fast', id })),
      );
      await ledger.until(() => ledger.begun.length === 3);
      expect(full!.filter((id) => contexts.get(id)?.othersWait())).toHaveLength(2);
      expect(contexts.get(other![0]!)?.othersWait()).toBe(false);
      expect(turns.active).toBe(3);
      end.open();
      await ledger.until(() => ledger.begun.length === 4);
    });

    test('close asks running turns to end, waits for them, and leaves what waits to others', async () => {
      const first = bench.work({
        slots: 1,
        turn: ({ stopping }) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve())),
      });
      const waker = await bench.waker();
      await waker.wakeMany(
        'dispatch',
        ['a', 'b'].map((id) => ({ lane: 'fast', id })),
      );
      await ledger.until(() => ledger.begun.length === 1);
      await first.close();
      expect(first.active).toBe(0);
      expect(ledger.begun.length).toBe(1);
      bench.work();
      await ledger.until(() => ledger.begun.length === 2);
    });
  });
