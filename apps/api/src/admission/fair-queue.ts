/**
 * A queue that serves groups in turn, and within each group its subgroups in turn. A group with many entries delays
 * only itself.
 */
export interface FairQueue<T> {
  readonly size: number;
  /** `path` names the entry's group, its subgroup and so on; all paths of a queue have the same length. */
  add(path: readonly string[], item: T): void;
  /** The next entry, or undefined if the queue is empty. */
  take(): T | undefined;
  /** Removes an entry from any position. False if it is not in the queue. */
  remove(path: readonly string[], item: T): boolean;
  /**
   * Removes the last entry of the largest group, to make room for an entry of `path`. Undefined if the group of `path`
   * would then be as large as that group: then the newcomer itself has to go.
   */
  displace(path: readonly string[]): T | undefined;
  /** Whether `displace` would remove an entry now. */
  wouldDisplace(path: readonly string[]): boolean;
}

/** A group. At the end of a path it holds items; above, it holds groups in the order of their turns. */
interface Group<T> {
  size: number;
  readonly groups: Map<string, Group<T>>;
  readonly items: T[];
}

/** An empty queue. */
export function createFairQueue<T>(): FairQueue<T> {
  const root = emptyGroup<T>();
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

function emptyGroup<T>(): Group<T> {
  return { size: 0, groups: new Map(), items: [] };
}

function addTo<T>(group: Group<T>, [name, ...rest]: readonly string[], item: T): void {
  group.size += 1;
  if (name === undefined) {
    group.items.push(item);
    return;
  }
  const inner = group.groups.get(name) ?? emptyGroup();
  group.groups.set(name, inner);
  addTo(inner, rest, item);
}

function takeFrom<T>(group: Group<T>): T | undefined {
  if (group.size === 0) return undefined;
  group.size -= 1;
  const [first] = group.groups;
  if (first === undefined) return group.items.shift();
  const [name, inner] = first;
  const item = takeFrom(inner);
  group.groups.delete(name);
  if (inner.size > 0) group.groups.set(name, inner);
  return item;
}

function removeFrom<T>(group: Group<T>, [name, ...rest]: readonly string[], item: T): boolean {
  if (name === undefined) {
    const index = group.items.lastIndexOf(item);
    if (index === -1) return false;
    group.items.splice(index, 1);
  } else {
    const inner = group.groups.get(name);
    if (inner === undefined || !removeFrom(inner, rest, item)) return false;
    if (inner.size === 0) group.groups.delete(name);
  }
  group.size -= 1;
  return true;
}

/** Descends until the newcomer's group and the largest group part. */
function displaceIn<T>(group: Group<T>, path: readonly string[]): T | undefined {
  if (!makesRoomIn(group, path)) return undefined;
  const [name, ...rest] = path as [string, ...string[]];
  const own = group.groups.get(name);
  const [largestName, largest] = largestOf(group);
  group.size -= 1;
  if (own?.size === largest.size) return displaceIn(own, rest);
  const item = dropNewest(largest);
  if (largest.size === 0) group.groups.delete(largestName);
  return item;
}

/** Whether the newcomer's group, or a group within it, is smaller than its largest neighbour by more than one. */
function makesRoomIn<T>(group: Group<T>, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || group.size === 0) return false;
  const own = group.groups.get(name);
  const [, largest] = largestOf(group);
  if (own?.size === largest.size) return makesRoomIn(own, rest);
  return (own?.size ?? 0) + 1 < largest.size;
}

function dropNewest<T>(group: Group<T>): T | undefined {
  group.size -= 1;
  if (group.groups.size === 0) return group.items.pop();
  const [name, largest] = largestOf(group);
  const item = dropNewest(largest);
  if (largest.size === 0) group.groups.delete(name);
  return item;
}

/** The largest group; among equals, the one whose turn comes last. */
function largestOf<T>({ groups }: Group<T>): [string, Group<T>] {
  return [...groups].reduce((largest, one) => (one[1].size >= largest[1].size ? one : largest));
}
