import type { Taken } from './hook.ts';

/** What became of the events. */
export interface Audit {
  /** Events that the service has. */
  readonly events: number;
  readonly messages: number;
  /** Events that the hook took at least once. */
  readonly taken: number;
  readonly missing: readonly string[];
  /** Messages of which a later event was first taken before an earlier one. */
  readonly outOfOrder: readonly string[];
  /** Taken once more than needed. */
  readonly repeats: number;
  /** Taken, and unknown to the service. */
  readonly unknown: readonly string[];
}

/** Compares what the hook took with the events that the service has. */
export function audit(events: readonly Taken[], taken: readonly Taken[]): Audit {
  const known = new Set(events.map(({ eventId }) => eventId));
  const seen = new Set<string>();
  const last = new Map<string, number>();
  const outOfOrder = new Set<string>();
  for (const { eventId, messageId, sequence } of taken) {
    if (seen.has(eventId)) continue;
    seen.add(eventId);
    if (sequence !== (last.get(messageId) ?? 0) + 1) outOfOrder.add(messageId);
    last.set(messageId, sequence);
  }
  return {
    events: events.length,
    messages: new Set(events.map(({ messageId }) => messageId)).size,
    taken: seen.size,
    missing: [...known].filter((id) => !seen.has(id)),
    outOfOrder: [...outOfOrder],
    repeats: taken.length - seen.size,
    unknown: [...seen].filter((id) => !known.has(id)),
  };
}
