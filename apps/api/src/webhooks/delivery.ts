import type { Delivery } from '@notify/contract';
import { formatId } from '@notify/core';
import type { DeliveryRow } from '@notify/db/webhooks';

/** A delivery as the API shows it. */
export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: formatId('dlv', row.id),
    eventId: formatId('evt', row.eventId),
    event: row.event as Delivery['event'],
    messageId: row.messageId === null ? null : formatId('msg', row.messageId),
    recipient: row.recipient,
    state: row.state,
    reason: row.reason,
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    attempts: row.attempts.map(({ number, status, error, durationMs, answer, beganAt }) => ({
      number,
      status,
      error,
      durationMs,
      answer,
      at: beganAt.toISOString(),
    })),
  };
}
