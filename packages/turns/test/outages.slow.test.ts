import { gate, type Ledger } from './ledger.ts';
import { type StoreUnderTest, stores } from './stores.ts';
import { type Bench, farAwayMs, openBench, rejects, untilDone } from './workbench.ts';
import { describeWith } from '@notify/testkit';

for (const { name, needs, open } of stores)
  describeWith(...needs)(`outages in ${name}`, () => {
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

    test('two processes share the turns', async () => {
      const [one, other] = await Promise.all([bench.workInProcess(20), bench.workInProcess(20)]);
      const waker = await bench.waker();
      await waker.wakeMany(
        'dispatch',
        Array.from({ length: 60 }, (_, number) => ({ lane: 'fast', id: `id-${number}` })),
      );
      await ledger.until(() => ledger.begun.length === 60);
      expect(one.ids.length).toBeGreaterThan(0);
      expect(other.ids.length).toBeGreaterThan(0);
      expect(new Set(ledger.begun).size).toBe(60);
    });

    test('close ends while the store is away', async () => {
      const turns = bench.work({
        turn: ({ stopping }) => new Promise((resolve) => stopping.addEventListener('abort', () => resolve())),
      });
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') === 1);
      await under.stop();
      await Promise.all([turns.close(), waker.close()]);
      expect(turns.active).toBe(0);
      await under.start();
    });

    test('the turn of a killed process runs again, and so does the wake that came meanwhile', async () => {
      const doomed = await bench.workInProcess(farAwayMs);
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => doomed.ids.length === 1);
      await waker.wake('dispatch', 'fast', 'one');
      await doomed.kill();
      bench.work();
      await ledger.until(() => ledger.runs('one') === 3);
      expect(doomed.ids).toEqual(['one']);
    });

    test('after the store was wiped in the middle of turns, wakes run again', async () => {
      const end = gate();
      bench.work({ turn: () => end.opened });
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') === 1);
      await under.wipe();
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') === 2);
      end.open();
      await waker.wake('dispatch', 'fast', 'other');
      await ledger.until(() => ledger.runs('other') === 1);
      expect(ledger.begun).toContain('other');
    });

    test('a store that went and came back has its turns taken again; wakes meanwhile reject', async () => {
      const end = gate();
      bench.work({ turn: ({ id }) => (id === 'held' ? end.opened : Promise.resolve()) });
      const waker = await bench.waker();
      await waker.wake('dispatch', 'fast', 'held');
      await ledger.until(() => ledger.runs('held') === 1);
      await under.stop();
      const wakes = Array.from({ length: 500 }, () => waker.wake('dispatch', 'fast', 'one'));
      const results = await Promise.allSettled(wakes);
      expect(results.every((result) => result.status === 'rejected')).toBe(true);
      expect(await rejects(waker.ping())).toBe(true);
      end.open();
      await under.start();
      await untilDone(() => waker.wake('dispatch', 'fast', 'one'));
      await ledger.until(() => ledger.runs('one') > 0);
      const runs = ledger.runs('held');
      await waker.wake('dispatch', 'fast', 'held');
      await ledger.until(() => ledger.runs('held') > runs);
      expect(ledger.mostAtOnce).toBeLessThanOrEqual(2);
    });

    test('what is opened while the store is away works as soon as it is there', async () => {
      await under.stop();
      bench.work();
      const waker = bench.open();
      expect(await rejects(waker.wake('dispatch', 'fast', 'one'))).toBe(true);
      await under.start();
      await untilDone(() => waker.wake('dispatch', 'fast', 'one'));
      await ledger.until(() => ledger.runs('one') > 0);
      expect(new Set(ledger.begun)).toEqual(new Set(['one']));
    });
  });
