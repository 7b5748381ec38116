import { formatId } from '@notify/core';
import type { ClaimedDelivery } from '@notify/db/webhooks';
import { traces } from '@notify/telemetry';
import type { PostResult } from './decide-delivery.ts';

/** The trace of one post that is about to begin. */
export interface PostTrace {
  /** The headers that hand the trace on to the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the message is not sampled. */
  readonly traceId: string | null;
  /** Records the spans of the event, from its commit to the end of the post, and of the post. */
  end(attempt: number, result: PostResult): void;
}

const endsNothing = (): void => undefined;

/** Begins the trace of a post. Null where traces are off. */
export function tracePost({ message, eventId, id, body }: ClaimedDelivery): PostTrace | null {
  if (!traces.enabled || message === undefined) return null;
  const trace =
    message.id === null
      ? traces.traceOfEvent(eventId)
      : traces.traceOfMessage(message.id, message.traceparent);
  // Nobody records the span of a message that is not sampled, so any id will do.
  const post = { traceId: trace.id, spanId: trace.sampled ? traces.newSpanId() : trace.rootId };
  const headers = { [traces.header]: traces.writeTraceparent(post, trace.sampled) };
  if (!trace.sampled) return { headers, traceId: null, end: endsNothing };
  const beganAt = performance.now();
  return {
    headers,
    traceId: trace.id,
    end(attempt, result) {
      const { event, occurredAt } = JSON.parse(body) as { event: string; occurredAt: string };
      const eventSpanId = traces.newSpanId();
      const error = result.ok ? null : result.error;
      traces.span('event', {
        trace,
        id: eventSpanId,
        ...(message.id === null ? { parent: null } : {}),
        attributes: { 'notify.event': event, 'notify.event.id': formatId('evt', eventId) },
        beganAt: new Date(occurredAt),
      });
      traces.span('post', {
        trace,
        id: post.spanId,
        parent: eventSpanId,
        kind: 'client',
        attributes: {
          'notify.delivery.id': formatId('dlv', id),
          'notify.attempt': attempt,
          ...(result.ok ? { 'http.response.status_code': result.status } : {}),
        },
        beganAt,
        error,
      });
    },
  };
}
