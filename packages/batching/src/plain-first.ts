import { metrics } from '@notify/telemetry';

/** What is settled. */
export type SettledKind = 'messages' | 'deliveries';

export interface PlainFirstOptions<Item> {
  /** What the items settle. Their commits are counted and timed. */
  readonly kind: SettledKind;
  /** What the item settles: a message, a delivery. */
  idOf(item: Item): string;
  /** Whose the items are: an account’s, a webhook’s. */
  ownerOf(item: Item): string;
  isPlain(item: Item): boolean;
  /** Stores plain items the cheap way, and may leave some out. Returns the ids of those that it stored. */
  runPlain(items: readonly Item[]): Promise<ReadonlySet<string>>;
  /** Stores items of any kind. */
  run(items: readonly Item[]): Promise<void>;
}

/**
 * A settler's `run` with a cheap way for the usual outcome. An owner’s items go the cheap way if all of them are plain and no
 * two settle the same. What that leaves out goes with the others. A repeated run skips what is stored already.
 */
export function plainFirst<Item extends object>(
  options: PlainFirstOptions<Item>,
): (items: readonly Item[]) => Promise<void> {
  const stored = new WeakSet<Item>();
  const commit = commitMeter(options.kind);
  return async (items) => {
    const open = items.filter((item) => !stored.has(item));
    const ids = new Set<string>();
    const isAgain = (item: Item): boolean => ids.size === ids.add(options.idOf(item)).size;
    const unusual = open.filter((item) => isAgain(item) || !options.isPlain(item));
    const mixed = new Set(unusual.map((item) => options.ownerOf(item)));
    const plain = open.filter((item) => !mixed.has(options.ownerOf(item)));
    const done = plain.length === 0 ? new Set<string>() : await commit(() => options.runPlain(plain));
    for (const one of plain) if (done.has(options.idOf(one))) stored.add(one);
    const others = open.filter((item) => !stored.has(item));
    if (others.length > 0) await commit(() => options.run(others));
  };
}

/** Returns what counts and times commits. */
function commitMeter(kind: SettledKind): <Result>(commit: () => Promise<Result>) => Promise<Result> {
  const { batches, duration } = metrics.settlements;
  const committed = batches.labels(kind, 'committed');
  const failed = batches.labels(kind, 'failed');
  // What has not happened yet is shown as 0, so that its first time is seen as a change.
  for (const counter of [committed, failed, metrics.leasesLost.labels(kind)]) counter.inc(0);
  const took = duration.labels(kind);
  return async (commit) => {
    const beganAt = performance.now();
    try {
      const result = await commit();
      committed.inc();
      return result;
    } catch (error) {
      failed.inc();
      throw error;
    } finally {
      took.observe((performance.now() - beganAt) / 1_000);
    }
  };
}
