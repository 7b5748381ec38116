import { formatId } from '@notify/core';
import type { AcceptItem, AcceptResult, AcceptRules } from '@notify/db/messages';
import { type BatchMember, type Origin, traces } from '@notify/telemetry';

/** What is traced of the messages of one request. */
export interface TracedCall {
  readonly items: readonly Pick<AcceptItem, 'channel' | 'bulk'>[];
  /** Null where traces are off. */
  readonly origin: Origin | null;
  /** What is stored with each of them. Null without a sender's. */
  readonly traceparent: string | null;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** The messages of one request, on their way into the group commit. */
export interface AcceptCall extends TracedCall {
  readonly items: readonly AcceptItem[];
}

/** What to store with new messages of one request. Null without a sender's trace. */
export function traceparentOf(origin: Origin | null, tenantId: string, count: number): string | null {
  const sent = origin?.traceparent ?? null;
  return sent === null ? null : traces.followed(sent, tenantId, count);
}

/** The rules with the senders' traces. Without any, the statement stays as it is. */
export function tracedRules(rules: AcceptRules, calls: readonly TracedCall[]): AcceptRules {
  if (!traces.enabled || calls.every(({ traceparent }) => traceparent === null)) return rules;
  return {
    ...rules,
    traceparents: calls.flatMap(({ items, traceparent }) => items.map(() => traceparent)),
  };
}

/** Records the commit of new messages: their root spans. A repeated request has made none. */
export function traceAccepted(
  calls: readonly TracedCall[],
  results: readonly (readonly AcceptResult[])[],
  beganAt: number,
): void {
  if (!traces.enabled) return;
  const size = calls.reduce((sum, { items }) => sum + items.length, 0);
  const members = calls.flatMap((call, index) => spansOf(call, results[index]!));
  traces.batch('accept batch', 'accept', members, { size, beganAt });
}

/** The root spans of a request's sampled messages. */
function spansOf(
  { items, origin, traceparent, at }: TracedCall,
  results: readonly AcceptResult[],
): BatchMember[] {
  const ids = results.map(newIdOf);
  if (!ids.some((id) => id !== null && traces.sampledTrace(id, traceparent) !== null)) {
    origin?.count(ids.filter((id) => id !== null).length);
    return [];
  }
  const made = ids.map((id) => (id === null ? null : traces.traceOfMessage(id, traceparent)));
  const continued = origin?.adopt(made.filter((trace) => trace !== null));
  return made.flatMap((trace, place) => {
    if (trace?.sampled !== true) return [];
    const { channel, bulk } = items[place]!;
    return {
      trace,
      id: trace.rootId,
      parent: null,
      ...continued?.(trace),
      attributes: {
        'notify.message.id': formatId('msg', ids[place]!),
        'notify.channel': channel,
        'notify.bulk': bulk,
        'notify.outcome': results[place]!.kind,
      },
      beganAt: at,
    };
  });
}

/** The id of a message that was stored now, whether as accepted or as failed. */
function newIdOf(result: AcceptResult): string | null {
  const isNew = result.kind !== 'refused' && !(result.kind === 'accepted' && result.repeated);
  return isNew ? result.message.id : null;
}
