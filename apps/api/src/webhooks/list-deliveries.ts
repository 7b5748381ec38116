import { Deliveries, DeliveriesQuery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findWebhook, listDeliveries as list } from '@notify/db/webhooks';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody } from '../http/route.ts';
import { readCursor } from '../messages/listing.ts';
import { toDelivery } from './delivery.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

const defaultLimit = 50;

export const listDeliveries = defineRoute({
  operationId: 'webhooks.listDeliveries',
  method: 'get',
  path: '/v1/webhooks/:id/deliveries',
  tag: 'Webhooks',
  summary: 'List deliveries of a webhook',
  description: 'Newest first, with every attempt and its response.',
  credential: 'bearer',
  scope: 'webhooks:read',
  params: WebhookParams,
  query: DeliveriesQuery,
  body: NoBody,
  status: 200,
  response: Deliveries,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, query, caller: { tenantId } }, { dashboardDb: db }: { dashboardDb: Db }) {
    const webhookId = readWebhookId(params.id);
    found(await findWebhook(db, tenantId, webhookId));
    const { state, failedSoFar, limit = defaultLimit } = query;
    const before = query.cursor === undefined ? undefined : readCursor('dlv', query.cursor);
    const rows = await list(db, { tenantId, webhookId, state, failedSoFar, before, limit: limit + 1 });
    const data = rows.slice(0, limit).map(toDelivery);
    return { data, nextCursor: rows.length > limit ? data.at(-1)!.id : null };
  },
});
