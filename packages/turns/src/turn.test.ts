import { jest } from '@jest/globals';
import { createDeadlines } from './deadlines.ts';
import { createPermits, type Permits } from './permits.ts';
import { takeTurn, type TurnContext, type TurnWork } from './turn.ts';

interface Changes extends Partial<TurnWork<number>>, Partial<TurnContext> {
  readonly permits?: Permits;
}

/** A turn over waiting numbers. The work on each takes one round of the event loop. */
function turnOver(due: number[], changes: Changes = {}) {
  const worked: number[] = [];
  const asked: { limit: number; underWay: number }[] = [];
  const later: Promise<unknown>[] = [];
  const { permits = createPermits(20), ...others } = changes;
  const work: TurnWork<number> = {
    maxInFlight: () => 4,
    claim: async ({ limit, inFlight }) => {
      asked.push({ limit, underWay: inFlight });
      return due.splice(0, limit);
    },
    finish: async (claim) => {
      await new Promise(setImmediate);
      worked.push(claim);
    },
    ...others,
  };
  const context: TurnContext = {
    id: 'account',
    stopping: new AbortController().signal,
    deadlines: createDeadlines(),
    othersWait: () => false,
    settleLater: (settled) => later.push(settled),
    ...others,
  };
  return { turn: () => takeTurn(work, permits, context), worked, asked, permits, later };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test('works on everything that is due, within the limit in flight', async () => {
  const { turn, worked, asked, permits } = turnOver(numbers(30));
  expect(await turn()).toBe(30);
  expect(worked.toSorted((a, b) => a - b)).toEqual(numbers(30));
  expect(asked.every(({ limit, underWay }) => limit + underWay <= 4)).toBe(true);
  expect(permits.inUse).toBe(0);
});

test('finds work that comes while it runs, and ends when nothing has come for a while', async () => {
  const due = [1];
  const { turn, worked, asked } = turnOver(due, {
    finish: async (claim) => {
      worked.push(claim);
      if (claim < 3) due.push(claim + 1);
    },
  });
  expect(await turn()).toBe(3);
  expect(worked).toEqual([1, 2, 3]);
  // Three claims that found one, and some empty ones in 50 ms, 10 to 20 ms apart; a busy machine makes fewer.
  expect(asked.length).toBeGreaterThan(3);
  expect(asked.length).toBeLessThan(12);
});

test('finds work that comes after an empty claim', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const due = [1];
  let next = 2;
  const { turn, worked } = turnOver(due, {
    claim: async ({ limit }) => {
      const found = due.splice(0, limit);
      if (found.length === 0 && next > 3) now.mockReturnValue(1_000);
      if (found.length === 0 && next <= 3) due.push(next++);
      return found;
    },
  });
  expect(await turn().finally(() => now.mockRestore())).toBe(3);
  expect(worked).toEqual([1, 2, 3]);
});

test('finds work that comes while its calls hang, as long as it has slots', async () => {
  const due = [0];
  const hangs = Promise.withResolvers<void>();
  const { turn, worked } = turnOver(due, {
    finish: async (claim) => {
      if (claim === 0) {
        setTimeout(() => due.push(1), 30);
        await hangs.promise;
      }
      worked.push(claim);
      hangs.resolve();
    },
  });
  expect(await turn()).toBe(2);
  expect(worked).toEqual([1, 0]);
});

test('ends at once when it finds nothing, or nothing more while others wait', async () => {
  const idle = turnOver([]);
  await idle.turn();
  expect(idle.asked).toHaveLength(1);
  const done = turnOver([1], { othersWait: () => true });
  await done.turn();
  expect(done.asked).toHaveLength(2);
});

test('claims little when little comes, and up to all its slots after a full claim', async () => {
  const due = [1];
  const { turn, asked } = turnOver(due, {
    maxInFlight: () => 10,
    finish: async (claim) => void (claim === 1 && due.push(...numbers(10).map((number) => number + 2))),
  });
  expect(await turn()).toBe(11);
  expect(asked.slice(0, 3).map(({ limit }) => limit)).toEqual([10, 4, 10]);
});

test('claims again once half of a few calls have ended, however long the others take', async () => {
  const due = numbers(2);
  const last = Promise.withResolvers<void>();
  const { turn, worked } = turnOver(due, {
    finish: async (claim) => {
      worked.push(claim);
      if (claim === 0) due.push(2);
      if (claim === 1) await last.promise;
      if (claim === 2) last.resolve();
    },
  });
  expect(await turn()).toBe(3);
});

test('claims in place of ended calls before they are settled, and ends before that too', async () => {
  const settlements = Promise.withResolvers<void>();
  const { turn, asked, permits, later } = turnOver(numbers(6), {
    maxInFlight: () => 2,
    finish: async (_, { free }) => {
      await new Promise(setImmediate);
      free();
      await settlements.promise;
    },
  });
  expect(await turn()).toBe(6);
  expect(asked.every(({ limit, underWay }) => limit + underWay <= 2)).toBe(true);
  expect(permits.inUse).toBe(0);
  expect(later).toHaveLength(1);
  settlements.resolve();
  await later[0];
});

test('stops claiming while four times its slots wait to be settled', async () => {
  const settlements = numbers(20).map(() => Promise.withResolvers<void>());
  let freed = 0;
  const { turn } = turnOver(numbers(20), {
    maxInFlight: () => 2,
    finish: async (claim, { free }) => {
      free();
      freed += 1;
      await settlements[claim]!.promise;
    },
  });
  const someRounds = async (): Promise<void> => {
    for (let round = 0; round < 50; round += 1) await new Promise(setImmediate);
  };
  const ended = turn();
  await someRounds();
  expect(freed).toBe(8);
  settlements[3]!.resolve();
  await someRounds();
  expect(freed).toBe(9);
  for (const { resolve } of settlements) resolve();
  expect(await ended).toBe(20);
});

test('ends after its share when others wait', async () => {
  const due = numbers(200);
  const { turn, worked, permits } = turnOver(due, { othersWait: () => true });
  expect(await turn()).toBeLessThan(60);
  expect(worked.length + due.length).toBe(200);
  expect(permits.inUse).toBe(0);
});

test('ends after a second when others wait for permits', async () => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  const { turn, worked } = turnOver(numbers(200), {
    permits: { ...createPermits(4), waiting: 1 },
    finish: async (claim) => {
      worked.push(claim);
      now.mockReturnValue(claim < 100 ? 999 : 1_000);
    },
  });
  await turn().finally(() => now.mockRestore());
  expect(worked.length).toBeGreaterThan(100);
  expect(worked.length).toBeLessThan(110);
});

test('continues after waiting for permits longer than its share of a slot', async () => {
  const permits = { ...createPermits(1), waiting: 1 };
  setTimeout(await permits.acquire(), 150);
  const { turn, worked } = turnOver(numbers(3), { permits });
  await turn();
  expect(worked).toEqual([0, 1, 2]);
});

test('stops claiming when it is told to end, and waits for its running work', async () => {
  const stopping = new AbortController();
  const { turn, worked } = turnOver(numbers(20), {
    stopping: stopping.signal,
    finish: async (claim) => {
      stopping.abort();
      await new Promise(setImmediate);
      worked.push(claim);
    },
  });
  expect(await turn()).toBe(4);
  expect(worked).toHaveLength(4);
});

test('a claim that is not admitted releases its permit without work', async () => {
  const { turn, worked, permits } = turnOver(numbers(8), {
    admit: async (claims) => claims.filter((claim) => claim % 2 === 0),
  });
  expect(await turn()).toBe(8);
  expect(worked).toEqual([0, 2, 4, 6]);
  expect(permits.inUse).toBe(0);
});

test('a claim that fails ends the turn after all its running work', async () => {
  let claims = 0;
  const { turn, worked, permits } = turnOver([], {
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
  await expect(turn()).rejects.toThrow('away');
  expect(worked).toEqual([1, 2]);
  expect(permits.inUse).toBe(0);
});

test('an account with little to do goes ahead of accounts with more work than permits', async () => {
  const permits = createPermits(4);
  const busy = Array.from({ length: 20 }, (_, index) =>
    turnOver(numbers(200), { id: `busy ${index}`, permits }),
  );
  const turns = busy.map(async ({ turn, worked }) => {
    while (worked.length < 200) await turn();
  });
  // Until each has had its 50.
  while (busy.some(({ worked }) => worked.length < 60)) await new Promise(setImmediate);
  permits.ranDry('one');
  const workedByBusy = (): number => busy.reduce((sum, { worked }) => sum + worked.length, 0);
  const before = workedByBusy();
  let meanwhile = Infinity;
  const one = turnOver([7], {
    id: 'one',
    permits,
    finish: async () => void (meanwhile = workedByBusy() - before),
  });
  await one.turn();
  // Taking turns with the 20, it would have waited for one claim of each.
  expect(meanwhile).toBeLessThan(20);
  await Promise.all(turns);
});

test('only a turn that claimed nothing calls nothingDue', async () => {
  let said = 0;
  const nothingDue = async () => void (said += 1);
  await turnOver([1], { nothingDue }).turn();
  expect(said).toBe(0);
  await turnOver([], { nothingDue }).turn();
  expect(said).toBe(1);
});
