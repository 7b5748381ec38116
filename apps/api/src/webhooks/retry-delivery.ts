import { RequestedDelivery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { retryDelivery as retry } from '@notify/db/webhooks';
import type { Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';
import Type from 'typebox';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { readDeliveryId } from './delivery.ts';
import { requested } from './requested.ts';
import { readWebhookId } from './webhook.ts';

export const retryDelivery = defineRoute({
  operationId: 'webhooks.retryDelivery',
  method: 'post',
  path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
  tag: 'Webhooks',
  summary: 'Retry or redeliver',
  description:
    'Retries a pending delivery immediately. For a finished delivery, successful or not, creates a new delivery of the same event. A failing webhook is tried immediately, starting with the oldest pending delivery. A webhook that takes packs gets a pack of that one event; with the ID of a pack (`bat_…`), all its events are posted again. What waits in a pack comes with the whole pack.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: Type.Object({ id: Type.String(), deliveryId: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 202,
  response: RequestedDelivery,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, caller }, deps: { readonly db: Db; readonly waker: Waker; readonly log: Log }) {
    const id = readWebhookId(params.id);
    const of = readDeliveryId(params.deliveryId);
    return requested(deps, id, await retry(deps.db, caller.tenantId, id, of));
  },
});
