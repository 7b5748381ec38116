/**
 * A queue that serves parties in turn, and within each party its subparties in turn. A party with many entries delays
 * only itself.
 */
export interface FairQueue<T> {
  readonly size: number;
  /** `path` names the entry's party, its subparty and so on; all paths of a queue have the same length. */
  add(path: readonly string[], item: T): void;
  /** The next entry, or undefined if the queue is empty. */
  take(): T | undefined;
  /** Removes an entry from any position. False if it is not in the queue. */
  remove(path: readonly string[], item: T): boolean;
  /**
   * Removes the last entry of the largest party, to make room for an entry of `path`. Undefined if the party of `path`
   * would then be as large as that party: then the newcomer itself has to go.
   */
  displace(path: readonly string[]): T | undefined;
  /** Whether `displace` would remove an entry now. */
  wouldDisplace(path: readonly string[]): boolean;
}

/** A party. At the end of a path it holds items; above, it holds parties in the order of their turns. */
interface Party<T> {
  size: number;
  readonly parties: Map<string, Party<T>>;
  readonly items: T[];
}

/** An empty queue. */
export function createFairQueue<T>(): FairQueue<T> {
  const root = emptyParty<T>();
  return {
    get size() {
      return root.size;
    },
    add: (path, item) => addTo(root, path, item),
    take: () => takeFrom(root),
    remove: (path, item) => removeFrom(root, path, item),
    displace: (path) => displaceIn(root, path),
    wouldDisplace: (path) => makesRoomIn(root, path),
  };
}

function emptyParty<T>(): Party<T> {
  return { size: 0, parties: new Map(), items: [] };
}

function addTo<T>(party: Party<T>, [name, ...rest]: readonly string[], item: T): void {
  party.size += 1;
  if (name === undefined) {
    party.items.push(item);
    return;
  }
  const inner = party.parties.get(name) ?? emptyParty();
  party.parties.set(name, inner);
  addTo(inner, rest, item);
}

function takeFrom<T>(party: Party<T>): T | undefined {
  if (party.size === 0) return undefined;
  party.size -= 1;
  const [first] = party.parties;
  if (first === undefined) return party.items.shift();
  const [name, inner] = first;
  const item = takeFrom(inner);
  party.parties.delete(name);
  if (inner.size > 0) party.parties.set(name, inner);
  return item;
}

function removeFrom<T>(party: Party<T>, [name, ...rest]: readonly string[], item: T): boolean {
  if (name === undefined) {
    const index = party.items.lastIndexOf(item);
    if (index === -1) return false;
    party.items.splice(index, 1);
  } else {
    const inner = party.parties.get(name);
    if (inner === undefined || !removeFrom(inner, rest, item)) return false;
    if (inner.size === 0) party.parties.delete(name);
  }
  party.size -= 1;
  return true;
}

/** Descends to where the newcomer's party is not the largest. */
function displaceIn<T>(party: Party<T>, path: readonly string[]): T | undefined {
  if (!makesRoomIn(party, path)) return undefined;
  const [name, ...rest] = path as [string, ...string[]];
  const own = party.parties.get(name);
  const [largestName, largest] = largestOf(party);
  party.size -= 1;
  if (own?.size === largest.size) return displaceIn(own, rest);
  const item = dropNewest(largest);
  if (largest.size === 0) party.parties.delete(largestName);
  return item;
}

/** Whether the newcomer's party, or a party within it, is smaller than its largest neighbour by more than one. */
function makesRoomIn<T>(party: Party<T>, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || party.size === 0) return false;
  const own = party.parties.get(name);
  const [, largest] = largestOf(party);
  if (own?.size === largest.size) return makesRoomIn(own, rest);
  return (own?.size ?? 0) + 1 < largest.size;
}

function dropNewest<T>(party: Party<T>): T | undefined {
  party.size -= 1;
  if (party.parties.size === 0) return party.items.pop();
  const [name, largest] = largestOf(party);
  const item = dropNewest(largest);
  if (largest.size === 0) party.parties.delete(name);
  return item;
}

/** The largest party; among equals, the one whose turn comes last. */
function largestOf<T>({ parties }: Party<T>): [string, Party<T>] {
  return [...parties].reduce((largest, one) => (one[1].size >= largest[1].size ? one : largest));
}
