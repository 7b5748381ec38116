import { createBatcher, Overdue } from './batch.ts';

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

test('items that come during a run share the next one, in order', async () => {
  const runs: number[][] = [];
  const batcher = createBatcher<number, number>({
    maxItems: 100,
    run: async (items) => {
      runs.push([...items]);
      await new Promise(setImmediate);
      return items.map((item) => item * 2);
    },
  });
  const first = batcher.add(1);
  await new Promise(setImmediate);
  const rest = [2, 3, 4].map((item) => batcher.add(item));
  expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6, 8]);
  expect(runs).toEqual([[1], [2, 3, 4]]);
  expect(batcher.pending).toBe(0);
});

test('items that come between two runs share the second, and one after a pause runs at once', async () => {
  const runs: number[][] = [];
  const batcher = createBatcher<number, number>({
    maxItems: 100,
    apartMs: 1_000,
    run: async (items) => {
      runs.push([...items]);
      return items;
    },
  });
  const beganAt = performance.now();
  await batcher.add(1);
  const rest = [batcher.add(2)];
  for (const item of [3, 4]) {
    await new Promise(setImmediate);
    rest.push(batcher.add(item));
  }
  await Promise.all(rest);
  expect(runs).toEqual([[1], [2, 3, 4]]);
  expect(performance.now() - beganAt).toBeGreaterThanOrEqual(990);
});

test('a batch keeps to its size limit, and runs keep to the permitted concurrency', async () => {
  let running = 0;
  let most = 0;
  const sizes: number[] = [];
  const batcher = createBatcher<number, number>({
    maxItems: 7,
    concurrency: 2,
    run: async (items) => {
      running += 1;
      most = Math.max(most, running);
      sizes.push(items.length);
      await new Promise(setImmediate);
      running -= 1;
      return items;
    },
  });
  await Promise.all(Array.from({ length: 50 }, (_, item) => batcher.add(item)));
  expect(most).toBe(2);
  expect(Math.max(...sizes)).toBe(7);
});

test('a batch that fails on its data is halved until only the guilty item fails', async () => {
  const batcher = createBatcher<number, number>({
    maxItems: 100,
    run: async (items) => {
      if (items.includes(13)) throw failure('22021');
      return items;
    },
  });
  const results = await Promise.allSettled(Array.from({ length: 30 }, (_, item) => batcher.add(item)));
  const failed = results.flatMap((result, item) => (result.status === 'rejected' ? [item] : []));
  expect(failed).toEqual([13]);
});

test('a deadlock is run again; another failure of the database fails the batch once', async () => {
  let deadlocks = 3;
  let runs = 0;
  const batcher = createBatcher<string, string>({
    maxItems: 10,
    run: async (items) => {
      runs += 1;
      if (items.includes('down')) throw failure('57P01');
      if (deadlocks-- > 0) throw failure('40P01');
      return items;
    },
  });
  await expect(batcher.add('a')).resolves.toBe('a');
  expect(runs).toBe(4);
  await expect(batcher.add('down')).rejects.toThrow('57P01');
  expect(runs).toBe(5);
});

test('an item that counts as many is never split, and runs alone when it is heavier than a batch', async () => {
  const sizes: number[] = [];
  const batcher = createBatcher<number[], number>({
    maxItems: 10,
    weigh: (item) => item.length,
    run: async (items) => {
      sizes.push(items.flat().length);
      return items.map((item) => item.length);
    },
  });
  const calls = [4, 4, 4, 25, 1].map((length) => batcher.add(Array.from({ length }, () => 0)));
  expect(await Promise.all(calls)).toEqual([4, 4, 4, 25, 1]);
  expect(sizes).toEqual([8, 4, 25, 1]);
});

test('an item that waits too long leaves and is never run, and the others go on', async () => {
  const runs: string[][] = [];
  const under = Promise.withResolvers<void>();
  const batcher = createBatcher<string, string>({
    maxItems: 100,
    maxWaitMs: 20,
    run: async (items) => {
      runs.push([...items]);
      await under.promise;
      return items;
    },
  });
  const running = batcher.add('running');
  await new Promise(setImmediate);
  const late = batcher.add('late');
  await expect(late).rejects.toBeInstanceOf(Overdue);
  const next = batcher.add('next');
  under.resolve();
  expect(await Promise.all([running, next])).toEqual(['running', 'next']);
  expect(runs).toEqual([['running'], ['next']]);
  expect(batcher.pending).toBe(0);
});
