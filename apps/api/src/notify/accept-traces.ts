import { formatId } from '@notify/core';
import type { AcceptItem, AcceptResult, AcceptRules } from '@notify/db/messages';
import { type Origin, traces } from '@notify/telemetry';

/** The messages of one request, on their way into the group commit. */
export interface AcceptCall {
  readonly items: readonly AcceptItem[];
  /** Null where traces are off. */
  readonly origin: Origin | null;
  /** What is stored with each of them. Null without a sender's. */
  readonly traceparent: string | null;
  /** When it came, by `performance.now()`. */
  readonly at: number;
}

/** What to store with new messages of one request. Null without a sender's trace. */
export function traceparentOf(origin: Origin | null, tenantId: string, count: number): string | null {
  const sent = origin?.traceparent ?? null;
  return sent === null ? null : traces.followed(sent, tenantId, count);
}

/** The rules with the senders' traces. Without any, the statement stays as it is. */
export function tracedRules(rules: AcceptRules, calls: readonly AcceptCall[]): AcceptRules {
  if (!traces.enabled || calls.every(({ traceparent }) => traceparent === null)) return rules;
  return {
    ...rules,
    traceparents: calls.flatMap(({ items, traceparent }) => items.map(() => traceparent)),
  };
}

/** Records the commit of new messages: their root spans. A repeated request has made none. */
export function traceAccepted(
  calls: readonly AcceptCall[],
  results: readonly (readonly AcceptResult[])[],
  beganAt: number,
): void {
  if (!traces.enabled) return;
  let size = 0;
  const members = calls.flatMap(({ items, origin, traceparent, at }, index) => {
    size += items.length;
    const stored = items.flatMap(({ channel, bulk }, place) => {
      const result = results[index]![place]!;
      if (result.kind === 'refused' || (result.kind === 'accepted' && result.repeated)) return [];
      const { id } = result.message;
      return { trace: traces.traceOfMessage(id, traceparent), id, channel, bulk, kind: result.kind };
    });
    const continued = origin?.adopt(stored.map(({ trace }) => trace));
    const sampled = stored.filter(({ trace }) => trace.sampled);
    return sampled.map(({ trace, id, channel, bulk, kind }) => ({
      trace,
      id: trace.rootId,
      parent: null,
      ...continued?.(trace),
      attributes: {
        'notify.message.id': formatId('msg', id),
        'notify.channel': channel,
        'notify.bulk': bulk,
        'notify.outcome': kind,
      },
      beganAt: at,
    }));
  });
  traces.batch('accept batch', 'accept', members, { size, beganAt });
}
