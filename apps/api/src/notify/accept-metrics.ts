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

/** Counts what became of items, in the same order. Counts once for each channel and result, because a batch has few. */
export function measureResults(items: readonly AcceptItem[], results: readonly Result[]): void {
  const counts = new Map<string, { readonly channel: string; readonly result: string; count: number }>();
  for (const [at, { channel }] of items.entries()) {
    const result = resultOf(results[at]!);
    const key = `${channel} ${result}`;
    const counted = counts.get(key);
    if (counted === undefined) counts.set(key, { channel, result, count: 1 });
    else counted.count += 1;
  }
  for (const { channel, result, count } of counts.values())
    metrics.accept.messages.labels(channel, result).inc(count);
}

function resultOf(result: Result): string {
  return result.kind === 'accepted' && result.repeated ? 'repeated' : result.kind;
}
