import { jest } from '@jest/globals';
import { createAllowance } from './allowance.ts';
import { takeTurn, type TurnWork } from './take-turn.ts';

/** A turn over numbers that wait; each is worked on for one round of the event loop. */
function turnOver(due: number[], changes: Partial<TurnWork<number>> = {}) {
  const worked: number[] = [];
  const asked: { limit: number; underWay: number }[] = [];
  const permits = createAllowance(20);
  const work: TurnWork<number> = {
    id: 'account',
    signal: new AbortController().signal,
    permits,
    maxInFlight: () => 4,
    othersWait: () => false,
    claim: async (limit, underWay) => {
      asked.push({ limit, underWay });
      return due.splice(0, limit);
    },
    finish: async (claim) => {
      await new Promise(setImmediate);
      worked.push(claim);
    },
    ...changes,
  };
  return { work, worked, asked, permits };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('works on everything that is due, never on more at once than may be in flight', async () => {
  const { work, worked, asked, permits } = turnOver(numbers(30));
  expect(await takeTurn(work)).toBe(30);
  expect(worked.toSorted((a, b) => a - b)).toEqual(numbers(30));
  expect(asked.every(({ limit, underWay }) => limit + underWay <= 4)).toBe(true);
  expect(permits.inUse).toBe(0);
});

test('finds by itself what comes while it works, and ends when nothing has come for a while', async () => {
  const due = [1];
  const { work, worked, asked } = turnOver(due, {
    finish: async (claim) => {
      worked.push(claim);
      if (claim < 3) due.push(claim + 1);
    },
  });
  expect(await takeTurn(work)).toBe(3);
  expect(worked).toEqual([1, 2, 3]);
  // Three that found one, and some in vain in 50 ms, 10 to 20 ms apart; a busy machine makes fewer.
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(12);
});

test('finds what comes after it has found nothing more', async () => {
  const due = [1];
  const { work, worked } = turnOver(due, {
    finish: async (claim) => {
      worked.push(claim);
      if (claim < 3) setTimeout(() => due.push(claim + 1), 15);
    },
  });
  expect(await takeTurn(work)).toBe(3);
});

test('finds what comes while its calls hang, as long as it has slots', async () => {
  const due = [0];
  const hangs = Promise.withResolvers<void>();
  const { work, worked } = turnOver(due, {
    finish: async (claim) => {
      if (claim === 0) {
        setTimeout(() => due.push(1), 30);
        await hangs.promise;
      }
      worked.push(claim);
      hangs.resolve();
    },
  });
  expect(await takeTurn(work)).toBe(2);
  expect(worked).toEqual([1, 0]);
});

test('ends at once where it finds nothing, or nothing more while others wait', async () => {
  const idle = turnOver([]);
  await takeTurn(idle.work);
  expect(idle.asked).toHaveLength(1);
  const done = turnOver([1], { othersWait: () => true });
  await takeTurn(done.work);
  expect(done.asked).toHaveLength(2);
});

test('asks for little where little comes, and for all its slots where it finds as much as it asked for', async () => {
  const due = [1];
  const { work, asked } = turnOver(due, {
    maxInFlight: () => 10,
    finish: async (claim) => void (claim === 1 && due.push(...numbers(10).map((number) => number + 2))),
  });
  expect(await takeTurn(work)).toBe(11);
  expect(asked.slice(0, 3).map(({ limit }) => limit)).toEqual([10, 4, 10]);
});

test('claims as soon as half of a few have ended, however long the others take', async () => {
  const due = numbers(2);
  const last = Promise.withResolvers<void>();
  const { work, worked } = turnOver(due, {
    finish: async (claim) => {
      worked.push(claim);
      if (claim === 0) due.push(2);
      if (claim === 1) await last.promise;
      if (claim === 2) last.resolve();
    },
  });
  expect(await takeTurn(work)).toBe(3);
});

test('claims in the place of what is only to be settled, and leaves that to whoever waits for it', async () => {
  const settlements = Promise.withResolvers<void>();
  const later: Promise<unknown>[] = [];
  const { work, asked, permits } = turnOver(numbers(6), {
    maxInFlight: () => 2,
    settleLater: (settled) => later.push(settled),
    finish: async (_, __, { free }) => {
      await new Promise(setImmediate);
      free();
      await settlements.promise;
    },
  });
  expect(await takeTurn(work)).toBe(6);
  expect(asked.every(({ limit, underWay }) => limit + underWay <= 2)).toBe(true);
  expect(permits.inUse).toBe(0);
  expect(later).toHaveLength(1);
  settlements.resolve();
  await later[0];
});

test('claims no more while four times its slots wait to be settled', async () => {
  const settlements = numbers(20).map(() => Promise.withResolvers<void>());
  let freed = 0;
  const { work } = turnOver(numbers(20), {
    maxInFlight: () => 2,
    finish: async (claim, _, { free }) => {
      free();
      freed += 1;
      await settlements[claim]!.promise;
    },
  });
  const someRounds = async (): Promise<void> => {
    for (let round = 0; round < 50; round += 1) await new Promise(setImmediate);
  };
  const turn = takeTurn(work);
  await someRounds();
  expect(freed).toBe(8);
  settlements[3]!.resolve();
  await someRounds();
  expect(freed).toBe(9);
  for (const { resolve } of settlements) resolve();
  expect(await turn).toBe(20);
});

test('ends after its share when others wait', async () => {
  const due = numbers(200);
  const { work, worked, permits } = turnOver(due, { othersWait: () => true });
  expect(await takeTurn(work)).toBeLessThan(60);
  expect(worked.length + due.length).toBe(200);
  expect(permits.inUse).toBe(0);
});

test('ends after a second when others wait for permits', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { work, worked } = turnOver(numbers(200), {
    permits: { ...createAllowance(4), waiting: 1 },
    finish: async (claim) => {
      worked.push(claim);
      now.mockReturnValue(claim < 100 ? 999 : 1_000);
    },
  });
  await takeTurn(work).finally(() => now.mockRestore());
  expect(worked.length).toBeGreaterThan(100);
  expect(worked.length).toBeLessThan(110);
});

test('goes on after it has waited for permits longer than for its share of a slot', async () => {
  const permits = { ...createAllowance(1), waiting: 1 };
  setTimeout(await permits.take(), 150);
  const { work, worked } = turnOver(numbers(3), { permits });
  await takeTurn(work);
  expect(worked).toEqual([0, 1, 2]);
});

test('claims nothing once it is told to end, and waits for what is under way', async () => {
  const stopping = new AbortController();
  const { work, worked } = turnOver(numbers(20), {
    signal: stopping.signal,
    finish: async (claim) => {
      stopping.abort();
      await new Promise(setImmediate);
      worked.push(claim);
    },
  });
  expect(await takeTurn(work)).toBe(4);
  expect(worked).toHaveLength(4);
});

test('what is not admitted is not worked on, and gives its permit back', async () => {
  const { work, worked, permits } = turnOver(numbers(8), {
    admit: async (claims) => claims.filter((claim) => claim % 2 === 0),
  });
  expect(await takeTurn(work)).toBe(8);
  expect(worked).toEqual([0, 2, 4, 6]);
  expect(permits.inUse).toBe(0);
});

test('a claim that fails ends the turn when all that was under way has ended', async () => {
  let claims = 0;
  const { work, worked, permits } = turnOver([], {
    claim: async () => {
      claims += 1;
      if (claims === 2) throw new Error('away');
      return [1, 2];
    },
    finish: async (claim) => {
      if (claim === 2) for (let round = 0; round < 10; round += 1) await new Promise(setImmediate);
      worked.push(claim);
    },
  });
  await expect(takeTurn(work)).rejects.toThrow('away');
  expect(worked).toEqual([1, 2]);
  expect(permits.inUse).toBe(0);
});

test('who has a little is not held up by others with more than there are permits for', async () => {
  const permits = createAllowance(4);
  const busy = Array.from({ length: 20 }, (_, index) =>
    turnOver(numbers(200), { id: `busy ${index}`, permits }),
  );
  const turns = busy.map(async ({ work, worked }) => {
    while (worked.length < 200) await takeTurn(work);
  });
  // Until each has had its 50.
  while (busy.some(({ worked }) => worked.length < 60)) await new Promise(setImmediate);
  permits.done('one');
  const workedByBusy = (): number => busy.reduce((sum, { worked }) => sum + worked.length, 0);
  const before = workedByBusy();
  let meanwhile = Infinity;
  const one = turnOver([7], {
    id: 'one',
    permits,
    finish: async () => void (meanwhile = workedByBusy() - before),
  });
  await takeTurn(one.work);
  // By turns it would have waited for one claim of each of the 20.
  expect(meanwhile).toBeLessThan(20);
  await Promise.all(turns);
});
