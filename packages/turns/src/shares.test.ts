import { createShares } from './shares.ts';

test('knows the largest owner and its oldest, whatever is added and removed', () => {
  const shares = createShares<number>();
  const held: { readonly owner: string; readonly item: number }[] = [];
  // A linear congruential generator (Numerical Recipes, 7.1), so that every run does the same.
  let seed = 35;
  const random = (below: number): number => (seed = (1_664_525 * seed + 1_013_904_223) % 2 ** 32) % below;
  for (let item = 0; item < 3_000; item += 1) {
    if (random(5) < 3) {
      const owner = `owner ${random(12)}`;
      held.push({ owner, item });
      shares.add(owner, item);
    } else if (held.length > 0) {
      const [gone] = held.splice(random(held.length), 1);
      if (!shares.remove(gone!.owner, gone!.item)) throw new Error('it was held');
    }
    const counts = Map.groupBy(held, ({ owner }) => owner);
    const most = Math.max(0, ...[...counts.values()].map(({ length }) => length));
    const largest = shares.largest();
    expect([shares.size, largest?.count ?? 0]).toEqual([held.length, most]);
    if (largest === null) continue;
    expect(counts.get(largest.owner)).toHaveLength(most);
    expect(shares.oldestOf(largest.owner)).toBe(counts.get(largest.owner)![0]!.item);
  }
});

test('nothing is held by one that holds nothing', () => {
  const shares = createShares<string>();
  expect([shares.largest(), shares.oldestOf('a'), shares.countOf('a'), shares.remove('a', 'x')]).toEqual([
    null,
    undefined,
    0,
    false,
  ]);
});
