import type { Accepted, AcceptItem } from '@notify/db/messages';
import { metrics } from '@notify/telemetry';

/** What became of an item, as far as it is counted. */
type Result = Accepted['results'][number] | { readonly kind: 'refused' };

/** Counts one group commit: its size, its time, and what became of its items. A commit that fails has only a time. */
export async function measureCommit(
  items: readonly AcceptItem[],
  commit: () => Promise<Accepted>,
): Promise<Accepted> {
  const began = performance.now();
  metrics.accept.batch.observe(items.length);
  try {
    const accepted = await commit();
    measureResults(items, accepted.results);
    return accepted;
  } finally {
    metrics.accept.duration.observe((performance.now() - began) / 1000);
  }
}

/** Counts what became of items, in the same order. */
export function measureResults(
  items: readonly Pick<AcceptItem, 'channel'>[],
  results: readonly Result[],
): void {
  metrics.countEach(metrics.accept.messages, items.entries(), ([at, { channel }]) => ({
    channel,
    result: resultOf(results[at]!),
  }));
}

function resultOf(result: Result): string {
  return result.kind === 'accepted' && result.repeated ? 'repeated' : result.kind;
}
