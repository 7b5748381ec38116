import { RequestedDelivery } from '@notify/contract';
import { parseId } from '@notify/core';
import { retryDelivery as retry } from '@notify/db/webhooks';
import Type from 'typebox';
import { found } from '../http/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { requested } from './requested.ts';
import { readWebhookId } from './webhook.ts';

export const retryDelivery = defineRoute({
  method: 'post',
  path: '/v1/webhooks/:id/deliveries/:deliveryId/retry',
  tag: 'Webhooks',
  summary: 'Deliver once more',
  description:
    'One that waits is tried at once. Of one that has ended, delivered or not, a new delivery of the same event is made. A failing webhook is tried at once, beginning with what has waited longest.',
  credential: 'bearer',
  params: Type.Object({ id: Type.String(), deliveryId: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 202,
  response: RequestedDelivery,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, caller }, deps) {
    const id = readWebhookId(params.id);
    const deliveryId = found(parseId('dlv', params.deliveryId));
    return requested(deps, id, await retry(deps.db, caller.tenantId, id, deliveryId));
  },
});
