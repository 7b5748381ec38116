import { Deliveries, DeliveriesQuery, type Delivery } from '@notify/contract';
import { formatId, parseId } from '@notify/core';
import { type DeliveryRow, findWebhook, listDeliveries as list } from '@notify/db/webhooks';
import { found } from '../http/found.ts';
import { invalidRequest } from '../http/problem.ts';
import { defineRoute, NoBody } from '../http/route.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

const defaultLimit = 50;

export const listDeliveries = defineRoute({
  method: 'get',
  path: '/v1/webhooks/:id/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries of a webhook',
  description: 'Newest first, with every attempt and its response.',
  credential: 'bearer',
  params: WebhookParams,
  query: DeliveriesQuery,
  body: NoBody,
  status: 200,
  response: Deliveries,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, query, caller: { tenantId } }, { dashboardDb: db }) {
    const webhookId = readWebhookId(params.id);
    found(await findWebhook(db, tenantId, webhookId));
    const { state, limit = defaultLimit } = query;
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    const rows = await list(db, { tenantId, webhookId, state, before, limit: limit + 1 });
    const data = rows.slice(0, limit).map(toDelivery);
    return { data, nextCursor: rows.length > limit ? data.at(-1)!.id : null };
  },
});

function readCursor(text: string): string {
  const id = parseId('dlv', text);
  if (id === null)
    throw invalidRequest({ at: 'query/cursor', message: 'must be the nextCursor of a previous page' });
  return id;
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: formatId('dlv', row.id),
    eventId: formatId('evt', row.eventId),
    event: row.event as Delivery['event'],
    messageId: row.messageId === null ? null : formatId('msg', row.messageId),
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
