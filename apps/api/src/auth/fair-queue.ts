/**
 * A queue that serves groups in turn, and within each group its subgroups in turn. A group that sends much waits for its
 * own entries only.
 */
export interface FairQueue<T> {
  readonly size: number;
  /** `path` names the entry's group, its subgroup and so on; all paths of a queue have the same length. */
  add(path: readonly string[], item: T): void;
  /** The next entry; undefined when there is none. */
  take(): T | undefined;
  /** Takes an entry out, wherever it is. False when it is not in the queue. */
  remove(path: readonly string[], item: T): boolean;
  /**
   * Takes the last entry out of the group that has the most, to make room for one of `path`. Undefined where the group of
   * `path` would then have as many as that one: then the newcomer is the one too many.
   */
  displace(path: readonly string[]): T | undefined;
}

/** A group; one at the end of a path holds items, the others hold groups in the order of their turns. */
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

/** Goes down to where the newcomer's group and the largest one part. */
function displaceIn<T>(group: Group<T>, [name, ...rest]: readonly string[]): T | undefined {
  if (name === undefined || group.size === 0) return undefined;
  const own = group.groups.get(name);
  const ownSize = own?.size ?? 0;
  const [largestName, largest] = largestOf(group);
  let item: T | undefined;
  if (own !== undefined && ownSize === largest.size) item = displaceIn(own, rest);
  else if (ownSize + 1 < largest.size) {
    item = dropNewest(largest);
    if (largest.size === 0) group.groups.delete(largestName);
  }
  if (item !== undefined) group.size -= 1;
  return item;
}

function dropNewest<T>(group: Group<T>): T | undefined {
  group.size -= 1;
  if (group.groups.size === 0) return group.items.pop();
  const [name, largest] = largestOf(group);
  const item = dropNewest(largest);
  if (largest.size === 0) group.groups.delete(name);
  return item;
}

/** Of groups that are equally large, the one whose turn comes last. */
function largestOf<T>({ groups }: Group<T>): [string, Group<T>] {
  return [...groups].reduce((largest, one) => (one[1].size >= largest[1].size ? one : largest));
}
