import type { TimelineEntry } from '@notify/contract';
import { formatId } from '@notify/core';
import { type AttemptRow, type EventDelivery, stepTimes, type TracedMessage } from '@notify/db/messages';
import type { MessageFacts } from '@notify/db/explanations';
import type { MessageReceipt } from '@notify/db/schema';
import { type Explanation, standingOfDelivery } from '@notify/operations/explain';
import { toStanding } from './standing.ts';

/** Everything that happened to a message, oldest first. At the same moment, a cause comes before its effect. */
export function toTimeline(facts: MessageFacts, explanation: Explanation): TimelineEntry[] {
  const { message, attempts, events, deliveries } = facts.history;
  const entries: TimelineEntry[] = [
    ...attempts.map(toAttempt),
    ...underWay(message),
    ...message.reports.map(toReceipt),
    ...steps(message, events),
    ...deliveries.map((delivery) => ({
      ...toDelivery(delivery),
      standing: toStanding(standingOfDelivery(facts, explanation, delivery.id)),
    })),
  ];
  return entries.toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

function toAttempt(attempt: AttemptRow): TimelineEntry {
  const { startedAt, endedAt, number, part, outcome, providerCode, text } = attempt;
  return {
    kind: 'attempt',
    at: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    durationMs: endedAt.getTime() - startedAt.getTime(),
    number,
    part,
    outcome,
    providerCode,
    text,
  };
}

function toReceipt({ at, status, part, errorCode, providerCode, text }: MessageReceipt): TimelineEntry {
  return {
    kind: 'receipt',
    at,
    status,
    part: part ?? null,
    errorCode: errorCode ?? null,
    providerCode: providerCode ?? null,
    text: text ?? null,
  };
}

function underWay({ began_at: beganAt, attempts, part }: TracedMessage): TimelineEntry[] {
  if (beganAt === null) return [];
  const unknown = { endedAt: null, durationMs: null, outcome: null, providerCode: null, text: null };
  return [{ kind: 'attempt', at: beganAt.toISOString(), number: attempts + 1, part: part ?? 0, ...unknown }];
}

/**
 * The events, even after their rows have been deleted: the message itself remembers which events it emitted, and
 * usually when.
 */
function steps(message: TracedMessage, events: MessageFacts['history']['events']): TimelineEntry[] {
  const times = stepTimes(message);
  return message.emitted.flatMap((kind, index) => {
    const sequence = index + 1;
    const told = events.find((event) => event.sequence === sequence);
    const at = told?.occurredAt ?? times[kind];
    if (at === null) return [];
    const eventId = told === undefined ? null : formatId('evt', told.id);
    return [{ kind: 'event', at: at.toISOString(), event: `message.${kind}` as const, sequence, eventId }];
  });
}

function toDelivery(delivery: EventDelivery) {
  const { id, webhookId, url, eventId, event, state, reason, attempts, lastAttempt } = delivery;
  return {
    kind: 'delivery' as const,
    at: delivery.createdAt.toISOString(),
    deliveryId: formatId('dlv', id),
    webhookId: formatId('wh', webhookId),
    url,
    eventId: formatId('evt', eventId),
    event,
    state,
    reason,
    attempts,
    lastAttempt: lastAttempt === null ? null : toLastAttempt(lastAttempt),
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    endedAt: delivery.endedAt?.toISOString() ?? null,
  };
}

function toLastAttempt({ beganAt, ...rest }: NonNullable<EventDelivery['lastAttempt']>) {
  return { at: new Date(beganAt).toISOString(), ...rest };
}
