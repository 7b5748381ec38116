import { Overdue } from '@notify/batching';
import { createFairPlaces, type FairPlacesOptions } from './fair-places.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and the order in which it began. */
function world(options: Partial<FairPlacesOptions> = {}) {
  const places = createFairPlaces({ places: 4, perGroup: 3, maxWaitMs: 60_000, ...options });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    begin: (name: string): Promise<string> =>
      places.run(name.split(' ')[0]!, () => {
        begun.push(name);
        return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
      }),
    /** Ends a piece of work, and lets what follows begin. */
    end: async (name: string): Promise<void> => {
      ends.get(name)!();
      await tick();
    },
  };
}

test('a group has all but the place that is kept for others, and another begins at once', async () => {
  const { begin, begun } = world();
  for (let index = 0; index < 40; index += 1) void begin(`storm ${index}`);
  void begin('quiet 0');
  await tick();
  expect(begun).toEqual(['storm 0', 'storm 1', 'storm 2', 'quiet 0']);
});

test('groups are served in turn, each in its order', async () => {
  const { begin, begun, end } = world({ places: 1, perGroup: 1 });
  for (const name of ['a 0', 'a 1', 'a 2', 'b 0', 'b 1', 'c 0']) void begin(name);
  await tick();
  for (const name of ['a 0', 'a 1', 'b 0', 'c 0', 'a 2']) await end(name);
  expect(begun).toEqual(['a 0', 'a 1', 'b 0', 'c 0', 'a 2', 'b 1']);
});

test('fifty groups with much to do delay one more by a turn of each', async () => {
  const { begin, begun, end } = world({ places: 1, perGroup: 1 });
  for (let index = 0; index < 20; index += 1)
    for (let group = 0; group < 50; group += 1) void begin(`storm${group} ${index}`);
  void begin('quiet 0');
  await tick();
  while (begun.at(-1) !== 'quiet 0') await end(begun.at(-1)!);
  expect(begun.length).toBeLessThanOrEqual(52);
});

test('what finds no place in time is overdue and never runs', async () => {
  const { begin, begun, end } = world({ places: 1, perGroup: 1, maxWaitMs: 1 });
  const first = begin('a 0');
  await expect(begin('b 0')).rejects.toBeInstanceOf(Overdue);
  await end('a 0');
  await expect(first).resolves.toBe('a 0');
  void begin('c 0');
  await tick();
  expect(begun).toEqual(['a 0', 'c 0']);
});

test('a place is given back once, however often that is said', async () => {
  const places = createFairPlaces({ places: 1, perGroup: 1 });
  const leave = await places.acquire('a');
  leave();
  const next = await places.acquire('b');
  leave();
  let isThird = false;
  const third = places.acquire('c').then(() => (isThird = true));
  await tick();
  expect(isThird).toBe(false);
  next();
  await third;
});

test('work that fails gives its place back', async () => {
  const places = createFairPlaces({ places: 1, perGroup: 1, maxWaitMs: 60_000 });
  await expect(places.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(places.run('a', () => Promise.resolve('done'))).resolves.toBe('done');
});
