import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openWaker, type RunningTurns, runTurns, type TurnOptions, type Waker } from '../src/index.ts';
import { gate, type Ledger, openLedger } from './ledger.ts';
import { type StoreUnderTest, stores } from './stores.ts';

jest.setTimeout(60_000);
const farAwayMs = 3_600_000;

describe.each(stores)('turns in $name', ({ open }) => {
  let under: StoreUnderTest;
  let ledger: Ledger;
  let opened: { close(): Promise<void> }[];

  beforeAll(async () => {
    under = await open();
  });
  beforeEach(async () => {
    ledger = openLedger();
    opened = [];
    await under.wipe();
  });
  afterEach(async () => {
    await Promise.all(opened.map((one) => one.close()));
  });
  afterAll(() => under.remove());

  function work(options: Partial<TurnOptions> = {}, into: Ledger = ledger): RunningTurns {
    const { turn = async () => undefined, ...others } = options;
    const turns = runTurns({
      ...under.store,
      partitions: 1,
      kind: 'dispatch',
      lane: 'fast',
      slots: 10,
      turn: (id, context) => into.book(id, () => turn(id, context)),
      nextDueMs: async () => null,
      onError: () => undefined,
      log: { warn: () => undefined },
      ...others,
    });
    opened.push(turns);
    return turns;
  }

  /** A waker that has reached the store. */
  async function wakerOf(partitions = 1): Promise<Waker> {
    const waker = openWaker({ ...under.store, partitions, onError: () => undefined });
    opened.push(waker);
    await untilDone(() => waker.ping());
    return waker;
  }

  /** Starts a worker process; resolves when it takes turns. Its `ids` grow as its turns begin. */
  async function workInProcess(turnMs: number) {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'turn-process.ts'), JSON.stringify(under.store), String(turnMs)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const lines = createInterface({ input: child.stdout });
    const ids: string[] = [];
    await once(lines, 'line');
    lines.on('line', (id) => void ledger.book(id, async () => void ids.push(id)));
    async function kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    opened.push({ close: kill });
    return { ids, kill };
  }

  test('3,000 wakes of one id never run two turns at once, and none is lost', async () => {
    let fact = 0;
    let seen = 0;
    const turn = async () => void (seen = fact);
    work({ turn });
    work({ turn });
    const [even, odd] = await Promise.all([wakerOf(), wakerOf()]);
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
    let fact = 0;
    let seen = 0;
    let end = gate();
    work({
      async turn() {
        seen = fact;
        await end.opened;
      },
    });
    const waker = await wakerOf();
    for (let race = 0; race < 300; race += 1) {
      const ending = end;
      const runs = ledger.runs('one');
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => ledger.runs('one') > runs && seen === fact);
      end = gate();
      ending.open();
      if (race % 4 > 0) await delay(race % 4);
      fact += 1;
      await waker.wake('dispatch', 'fast', 'one');
      await ledger.until(() => seen === fact);
      end.open();
      end = gate();
    }
    expect(ledger.mostAtOnce).toBe(1);
  });

  test('a wake without delay pulls a delayed turn forward', async () => {
    work();
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one', farAwayMs);
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => ledger.runs('one') > 0);
    expect(ledger.runs('one')).toBe(1);
  });

  test('a delayed wake does not postpone an earlier one', async () => {
    work();
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one', 300);
    await waker.wake('dispatch', 'fast', 'one', farAwayMs);
    await ledger.until(() => ledger.runs('one') > 0);
    expect(ledger.runs('one')).toBe(1);
  });

  test('a delayed wake runs no earlier than it says', async () => {
    work();
    const waker = await wakerOf();
    const asked = Date.now();
    await waker.wake('dispatch', 'fast', 'one', 400);
    await ledger.until(() => ledger.runs('one') === 1);
    expect(Date.now() - asked).toBeGreaterThanOrEqual(400);
  });

  test('wakes during a run cause one more run, and only one', async () => {
    const end = gate();
    work({ slots: 1, turn: () => end.opened });
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => ledger.runs('one') === 1);
    await Promise.all([1, 2, 3].map(() => waker.wake('dispatch', 'fast', 'one')));
    end.open();
    await ledger.until(() => ledger.runs('one') === 2);
    await waker.wake('dispatch', 'fast', 'last');
    await ledger.until(() => ledger.runs('last') === 1);
    expect(ledger.begun).toEqual(['one', 'one', 'last']);
  });

  test('after each turn the id is woken for when it is due next, in the lane it belongs to', async () => {
    const answers = [{ delayMs: 0 }, { delayMs: 30 }, { delayMs: 0.4 }].map((due) => ({
      ...due,
      lane: 'fast' as const,
    }));
    const slow = openLedger();
    work({ nextDueMs: async () => answers.shift() ?? { delayMs: 0, lane: 'slow' } });
    work({ lane: 'slow' }, slow);
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one');
    await slow.until(() => slow.runs('one') === 1);
    expect(ledger.runs('one')).toBeGreaterThanOrEqual(4);
  });

  test('a turn that throws, and a next due time that cannot be read, do not stop later turns of the id', async () => {
    let fails = true;
    const asked: string[] = [];
    work({
      async turn() {
        if (fails) throw new Error('the turn failed');
      },
      async nextDueMs(id) {
        asked.push(id);
        if (!fails) throw new Error('the database is away');
        fails = false;
        return { delayMs: 0, lane: 'fast' };
      },
    });
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => ledger.runs('one') === 2);
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => ledger.runs('one') === 3);
    expect(asked.length).toBeGreaterThanOrEqual(2);
  });

  test('many wakes at once, some for ids that already wait, run each id', async () => {
    work({ slots: 50 });
    const waker = await wakerOf();
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
    work({ partitions: 4 });
    work({ partitions: 4, kind: 'webhooks' }, others);
    work({ partitions: 4, lane: 'slow' }, others);
    const waker = await wakerOf(4);
    const ids = Array.from({ length: 40 }, (_, number) => `id-${number}`);
    await waker.wakeMany(
      'dispatch',
      ids.map((id) => ({ lane: 'fast', id })),
    );
    await ledger.until(() => ledger.begun.length === 40);
    expect(others.begun).toEqual([]);
  });

  test('slots bound the turns that run at once, and say when all are taken', async () => {
    const end = gate();
    const turns = work({ slots: 2, turn: () => end.opened });
    const waker = await wakerOf();
    expect(turns.saturated).toBe(false);
    await waker.wakeMany(
      'dispatch',
      ['a', 'b', 'c', 'd'].map((id) => ({ lane: 'fast', id })),
    );
    await ledger.until(() => ledger.begun.length === 2);
    expect(turns.saturated).toBe(true);
    expect(turns.active).toBe(2);
    end.open();
    await ledger.until(() => ledger.begun.length === 4);
  });

  test('close asks running turns to end, waits for them, and leaves what waits to others', async () => {
    const first = work({
      slots: 1,
      turn: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    const waker = await wakerOf();
    await waker.wakeMany(
      'dispatch',
      ['a', 'b'].map((id) => ({ lane: 'fast', id })),
    );
    await ledger.until(() => ledger.begun.length === 1);
    await first.close();
    expect(first.active).toBe(0);
    expect(ledger.begun.length).toBe(1);
    work();
    await ledger.until(() => ledger.begun.length === 2);
  });

  test('two processes share the turns', async () => {
    const [one, other] = await Promise.all([workInProcess(20), workInProcess(20)]);
    const waker = await wakerOf();
    await waker.wakeMany(
      'dispatch',
      Array.from({ length: 60 }, (_, number) => ({ lane: 'fast', id: `id-${number}` })),
    );
    await ledger.until(() => ledger.begun.length === 60);
    expect(one.ids.length).toBeGreaterThan(0);
    expect(other.ids.length).toBeGreaterThan(0);
    expect(new Set(ledger.begun).size).toBe(60);
  });

  test('the turn of a killed process runs again, and so does the wake that came meanwhile', async () => {
    const doomed = await workInProcess(farAwayMs);
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => doomed.ids.length === 1);
    await waker.wake('dispatch', 'fast', 'one');
    await doomed.kill();
    work();
    await ledger.until(() => ledger.runs('one') === 3);
    expect(doomed.ids).toEqual(['one']);
  });

  test('after the store was wiped in the middle of turns, wakes run again', async () => {
    const end = gate();
    work({ turn: () => end.opened });
    const waker = await wakerOf();
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
    work({ turn: (id) => (id === 'held' ? end.opened : Promise.resolve()) });
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'held');
    await ledger.until(() => ledger.runs('held') === 1);
    await under.stop();
    const wakes = Array.from({ length: 500 }, () => waker.wake('dispatch', 'fast', 'one'));
    const results = await Promise.allSettled(wakes);
    expect(results.every((result) => result.status === 'rejected')).toBe(true);
    await expect(waker.ping()).rejects.toThrow();
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
    work();
    const waker = openWaker({ ...under.store, partitions: 1, onError: () => undefined });
    opened.push(waker);
    await expect(waker.wake('dispatch', 'fast', 'one')).rejects.toThrow();
    await under.start();
    await untilDone(() => waker.wake('dispatch', 'fast', 'one'));
    await ledger.until(() => ledger.runs('one') > 0);
    expect(new Set(ledger.begun)).toEqual(new Set(['one']));
  });

  test('close ends while the store is away', async () => {
    const turns = work({
      turn: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    const waker = await wakerOf();
    await waker.wake('dispatch', 'fast', 'one');
    await ledger.until(() => ledger.runs('one') === 1);
    await under.stop();
    await Promise.all([turns.close(), waker.close()]);
    expect(turns.active).toBe(0);
    await under.start();
  });
});

/** Tries until it goes through. */
async function untilDone(attempt: () => Promise<void>): Promise<void> {
  for (;;) {
    const done = await attempt().then(
      () => true,
      () => false,
    );
    if (done) return;
    await delay(50);
  }
}
