import { jest } from '@jest/globals';
import type { NextTurn, Wake } from '@notify/core';
import type { TurnWorker, Waker } from '@notify/queue';
import { createPartitionTurns, type PartitionTurnsOptions } from './partition-turns.ts';

// Dispatch, webhooks and linked devices all take their turns this way, so these tests cover each kind.

function turnsOf(options: Pick<PartitionTurnsOptions, 'turn'> & Partial<PartitionTurnsOptions>) {
  const wakes: string[] = [];
  const waker = {
    wakeMany: async (_: unknown, sent: readonly Wake[]) => void wakes.push(...sent.map(({ id }) => id)),
  } as unknown as Waker;
  const ended: Promise<void>[] = [];
  const turns = createPartitionTurns(
    {
      kind: 'webhooks',
      lane: 'fast',
      nextDue: async () => null,
      log: { tell: () => undefined, tells: () => false },
      ...options,
    },
    1,
    waker,
  );
  /** As the queue's worker does. */
  async function run(id: string): Promise<void> {
    await turns.take(id);
    turns.over(id, null);
  }
  const worker: TurnWorker = {
    silentMs: 0,
    isWedged: false,
    close: async () => void (await Promise.all(ended)),
  };
  return {
    wakes,
    begin: (id: string): Promise<void> => {
      const done = run(id);
      ended.push(done);
      return done;
    },
    has: turns.has,
    close: () => turns.close(worker),
  };
}

const someRounds = async (): Promise<void> => {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
};

test('the next due time is looked up after the settlements of a turn, and a close waits for that', async () => {
  const settled = Promise.withResolvers<void>();
  const asked: string[] = [];
  const { begin, close, wakes } = turnsOf({
    turn: async ({ settleLater }) => settleLater(settled.promise),
    nextDue: async (id) => {
      asked.push(id);
      return { id, delayMs: 10, lane: 'fast' };
    },
  });
  await begin('a');
  let isClosed = false;
  const closed = close().then(() => (isClosed = true));
  await new Promise(setImmediate);
  expect([asked, isClosed]).toEqual([[], false]);
  settled.resolve();
  await closed;
  expect([asked, wakes]).toEqual([['a'], ['a']]);
});

test('an id has run dry only when none of its work is due now', async () => {
  const dry: string[] = [];
  const due: Record<string, NextTurn | null> = {
    now: { id: 'now', delayMs: 0, lane: 'fast' },
    later: { id: 'later', delayMs: 5, lane: 'fast' },
    never: null,
  };
  const { begin, close } = turnsOf({
    turn: async () => undefined,
    nextDue: async (id) => due[id]!,
    ranDry: (id) => void dry.push(id),
  });
  for (const id of Object.keys(due)) await begin(id);
  await close();
  expect(dry).toEqual(['later', 'never']);
});

test('an id has a turn from its beginning to its end', async () => {
  const ends = Promise.withResolvers<void>();
  const { begin, close, has } = turnsOf({ turn: () => ends.promise });
  const done = begin('a');
  expect([has('a'), has('b')]).toEqual([true, false]);
  ends.resolve();
  await done;
  expect(has('a')).toBe(false);
  await close();
});

describe('a close', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  test('asks the turns to end, and aborts their calls after 7 s', async () => {
    const seen: string[] = [];
    const { begin, close } = turnsOf({
      turn: ({ stopping, deadlines }) =>
        new Promise((resolve) => {
          const call = deadlines.begin(60_000);
          stopping.addEventListener('abort', () => seen.push('asked'));
          call.signal.addEventListener('abort', () => {
            seen.push('ended');
            call[Symbol.dispose]();
            resolve();
          });
        }),
    });
    void begin('a');
    await someRounds();
    const closed = close();
    await someRounds();
    expect(seen).toEqual(['asked']);
    await jest.advanceTimersByTimeAsync(6_999);
    expect(seen).toEqual(['asked']);
    await jest.advanceTimersByTimeAsync(1);
    await closed;
    expect(seen).toEqual(['asked', 'ended']);
  });
});
