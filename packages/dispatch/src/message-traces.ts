import { type Decision, formatId, type Outcome } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import type { StoredInbound } from '@notify/db/inbound';
import { type Origin, type Trace, traces } from '@notify/telemetry';
import type { EndedAttempt } from './message-metrics.ts';

/*
 * The spans of messages, of docs/observability.md. Where traces are off, each of these functions is one check.
 */

/** The trace of a claimed message. Null if it is not sampled, as where traces are off. */
export function traceOf({ messageId, traceparent }: Claimed): Trace | null {
  return traces.enabled ? traces.sampledTrace(messageId, traceparent) : null;
}

/** Records the claim of one turn. */
export function traceClaims(claims: readonly Claimed[], beganAt: number): void {
  if (!traces.enabled || claims.length === 0) return;
  const members = claims.flatMap(({ messageId, traceparent, attempts, state }) => {
    const trace = traces.sampledTrace(messageId, traceparent);
    if (trace === null) return [];
    return { trace, attributes: { 'notify.attempt': attempts, 'notify.claim.state': state } };
  });
  if (members.length === 0) return;
  const { provider, channel, lane } = claims[0]!.account;
  traces.batch('turn', 'claim', members, {
    size: claims.length,
    attributes: { 'notify.provider': provider, 'notify.channel': channel, 'notify.lane': lane },
    beganAt,
  });
}

/** Records the call of an attempt, unless the provider was not called. */
export function traceCall(
  trace: Trace | null,
  { attempts, part, account }: Claimed,
  { outcome, tookMs }: { readonly outcome: Outcome; readonly tookMs: number | null },
  decision: Decision,
): void {
  if (trace === null || tookMs === null) return;
  traces.span('call', {
    trace,
    kind: 'client',
    attributes: {
      'notify.provider': account.provider,
      'notify.channel': account.channel,
      'notify.attempt': attempts,
      'notify.part': part,
      'notify.outcome': outcome.kind,
      'notify.decision': decision.kind,
    },
    beganAt: performance.now() - tookMs,
    error: outcome.kind === 'accepted' ? null : outcome.kind,
  });
}

/** Records the commit of attempts, without those whose lease was `lost`. */
export function traceSettled(
  settlements: readonly EndedAttempt[],
  beganAt: number,
  lost: readonly string[] = [],
): void {
  if (!traces.enabled) return;
  const members = settlements.flatMap(({ trace, messageId, decision, outcome, attempts }) =>
    trace === undefined || lost.includes(messageId)
      ? []
      : {
          trace,
          attributes: {
            'notify.attempt': attempts,
            'notify.outcome': outcome.kind,
            'notify.decision': decision.kind,
          },
        },
  );
  traces.batch('settle batch', 'settle', members, { size: settlements.length, beganAt });
}

/** Records the commit of delivery receipts that were applied to these messages. */
export function traceReceipts(
  messages: readonly { readonly id: string; readonly traceparent: string | null }[],
  beganAt: number,
): void {
  if (!traces.enabled || messages.length === 0) return;
  const members = messages.flatMap(({ id, traceparent }) => {
    const trace = traces.sampledTrace(id, traceparent);
    return trace === null ? [] : { trace };
  });
  traces.batch('receipt batch', 'receipt', members, { size: messages.length, beganAt });
}

/** What became of the inbound messages of one request, poll or device. */
export interface StoredOf {
  readonly origin: Origin | null;
  readonly results: readonly StoredInbound[];
}

/** Records the commit of new inbound messages. Their root spans are `stored`. */
export function traceStored(stored: readonly StoredOf[], beganAt: number): void {
  if (!traces.enabled) return;
  const members = stored.flatMap(({ origin, results }) => {
    const ids = results.flatMap((one) => (one.kind === 'stored' ? one.messageId : []));
    const messages = ids.map((id) => traces.traceOfMessage(id, null));
    const continued = origin?.adopt(messages);
    return messages.map((trace, index) => ({
      trace,
      id: trace.rootId,
      parent: null,
      ...continued?.(trace),
      attributes: { 'notify.message.id': formatId('msg', ids[index]!) },
    }));
  });
  traces.batch('store batch', 'stored', members, { size: members.length, beganAt });
}
