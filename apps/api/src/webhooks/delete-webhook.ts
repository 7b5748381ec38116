import type { Db } from '@notify/db/connection';
import { deleteWebhook as remove } from '@notify/db/webhooks';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoContent, NoQuery } from '../http/route.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const deleteWebhook = defineRoute({
  operationId: 'webhooks.delete',
  method: 'delete',
  path: '/v1/webhooks/:id',
  tag: 'Webhooks',
  summary: 'Remove a webhook',
  description: 'Pending deliveries are dropped.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 204,
  response: NoContent,
  problems: ['not-found'],
  async handle({ params, caller }, deps: { readonly db: Db }) {
    const removed = await remove(deps.db, caller.tenantId, readWebhookId(params.id));
    if (!removed) throw new Problem('not-found');
  },
});
