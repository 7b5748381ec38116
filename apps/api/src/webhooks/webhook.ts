import type { Webhook } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import type { WebhookRow } from '@notify/db';
import Type from 'typebox';
import { found } from '../http/found.ts';

/** Path parameters of the routes of one webhook. */
export const WebhookParams = Type.Object({ id: Type.String() });

/** The bare id in a path; a `not-found` Problem where it cannot be one. */
export function readWebhookId(text: string): string {
  return found(parseId('wh', text));
}

/** A webhook as it is shown. */
export function toWebhook(row: WebhookRow): Webhook {
  return {
    id: formatId('wh', row.id),
    url: row.url,
    events: [...row.events],
    isActive: row.isActive,
    lastTriggeredAt: row.lastTriggeredAt?.toISOString() ?? null,
    failureCount: row.failureCount,
    createdAt: row.createdAt.toISOString(),
    description: row.description,
    disabledReason: row.disabledReason,
  };
}
