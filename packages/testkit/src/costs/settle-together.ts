/**
 * Holds settlements back until there are `count` of them, and then hands them on at once, so that they are one batch however fast the
 * calls end. `onFirst` is called before the first one waits.
 */
export function settleTogether<Item>(
  settle: (item: Item, keepUntil: number) => Promise<void>,
  count: number,
  onFirst: () => void = () => undefined,
): (item: Item, keepUntil: number) => Promise<void> {
  let waiting = 0;
  const all = Promise.withResolvers<void>();
  return async (item, keepUntil) => {
    if (waiting === 0) onFirst();
    waiting += 1;
    if (waiting === count) all.resolve();
    await all.promise;
    await settle(item, keepUntil);
  };
}
