import type { Delivery } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { DeliveryRow } from '@notify/db/webhooks';
import { found } from '../problems/found.ts';

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
    packId: row.pack === null ? null : formatId('bat', row.pack.id),
    eventCount: row.pack?.events ?? 1,
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

/** What a path names: a delivery, or a pack by its `bat_` id. Throws `not-found` if the text is neither. */
export function readDeliveryId(text: string): { readonly deliveryId: string } | { readonly packId: string } {
  if (text.toLowerCase().startsWith('bat_')) return { packId: found(parseId('bat', text)) };
  return { deliveryId: found(parseId('dlv', text)) };
}
