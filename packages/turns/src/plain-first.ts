export interface PlainFirstOptions<Item> {
  /** What the item settles: a message, a delivery. */
  idOf(item: Item): string;
  /** What the items are of: an account, a webhook. */
  groupOf(item: Item): string;
  isPlain(item: Item): boolean;
  /** Stores plain items the cheap way. Returns those that it left out. */
  runPlain(items: readonly Item[]): Promise<readonly Item[]>;
  /** Stores items of any kind. */
  run(items: readonly Item[]): Promise<void>;
}

/**
 * A settler's `run` with a cheap way for the usual outcome. Groups with plain items alone go the cheap way, if no two
 * items settle the same, and what it leaves out goes with the others. Items that are stored already are skipped when a run is repeated.
 */
export function plainFirst<Item extends object>(
  options: PlainFirstOptions<Item>,
): (items: readonly Item[]) => Promise<void> {
  const stored = new WeakSet<Item>();
  return async (items) => {
    const open = items.filter((item) => !stored.has(item));
    const ids = new Set<string>();
    const isAgain = (item: Item): boolean => ids.size === ids.add(options.idOf(item)).size;
    const unusual = open.filter((item) => isAgain(item) || !options.isPlain(item));
    const mixed = new Set(unusual.map((item) => options.groupOf(item)));
    const plain = open.filter((item) => !mixed.has(options.groupOf(item)));
    const others = new Set(open.filter((item) => mixed.has(options.groupOf(item))));
    if (plain.length > 0) for (const one of await options.runPlain(plain)) others.add(one);
    for (const one of plain) if (!others.has(one)) stored.add(one);
    if (others.size > 0) await options.run([...others]);
  };
}
