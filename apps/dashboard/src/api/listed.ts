/** What has been read of a long list, newest first. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** Continues the list after its last item. Null at the end. */
  readonly cursor: string | null;
}

/** A page as the api answers it. */
export interface PageOf<Item> {
  readonly data: readonly Item[];
  readonly nextCursor: string | null;
}

/** How to take in the newest items. */
export interface Taking<Item> {
  readonly idOf: (item: Item) => string;
  /** What orders the list: it grows with time. Without it, IDs do, and cursors are IDs. */
  readonly orderOf?: ((item: Item) => string) | undefined;
  /** Whether the answer would contain this item if it were still part of the list. */
  readonly covers: (item: Item) => boolean;
  /** The reader is further down, so no row may move. */
  readonly isReading: boolean;
  /** Items that stay even when they are no longer part of the list, such as those that are open. */
  readonly keeps: (id: string) => boolean;
}

/**
 * The list after its beginning was read again: known items are updated, new ones are added, and those that no longer
 * match are removed. While somebody reads, items are only updated. A list whose beginning was missed for too long
 * starts again.
 */
export function withNewest<Item>(
  before: Listed<Item> | undefined,
  { data, nextCursor }: PageOf<Item>,
  { idOf, orderOf, covers, isReading, keeps }: Taking<Item>,
): Listed<Item> {
  if (before === undefined) return { items: data, cursor: nextCursor };
  const fresh = new Map(data.map((item) => [idOf(item), item]));
  const known = before.items.map((item) => fresh.get(idOf(item)) ?? item);
  if (isReading) return { ...before, items: known };
  const keyOf = orderOf ?? idOf;
  const last = orderOf === undefined ? nextCursor : data.map(orderOf).at(-1);
  const isCovered = (item: Item): boolean =>
    covers(item) && (nextCursor === null || keyOf(item) >= (last ?? ''));
  const isContiguous = nextCursor === null || known.length === 0 || known.some(isCovered);
  if (!isContiguous) return { items: data, cursor: nextCursor };
  const rest = known.filter((item) => {
    const id = idOf(item);
    return !fresh.has(id) && (!isCovered(item) || keeps(id));
  });
  const items = [...data, ...rest].sort((one, other) => (keyOf(one) < keyOf(other) ? 1 : -1));
  return { ...before, items, cursor: cursorOf(before, nextCursor, items.length) };
}

/** An empty list may have been searched further in the meantime. */
function cursorOf(before: Listed<unknown>, reached: string | null, count: number): string | null {
  const isNewlyRead = before.items.length === 0 && count > 0;
  return isNewlyRead && (before.cursor === null || (reached !== null && reached < before.cursor))
    ? reached
    : before.cursor;
}

/**
 * The list with one page more. A page that does not continue it is ignored, and so is an item that has moved up since.
 */
export function withOlder<Item>(
  before: Listed<Item> | undefined,
  cursor: string,
  { data, nextCursor }: PageOf<Item>,
  idOf: (item: Item) => string,
): Listed<Item> | undefined {
  if (before === undefined || before.cursor !== cursor) return before;
  const known = new Set(before.items.map(idOf));
  const older = data.filter((item) => !known.has(idOf(item)));
  return { items: [...before.items, ...older], cursor: nextCursor };
}

/** How many of these items are newer than the list. */
export function countNewer<Item>(
  list: Listed<Item> | undefined,
  { data }: PageOf<Item>,
  idOf: (item: Item) => string,
): number {
  const [first] = list?.items ?? [];
  const newest = first === undefined ? '' : idOf(first);
  return data.filter((item) => idOf(item) > newest).length;
}
