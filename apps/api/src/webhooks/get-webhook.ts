import { Webhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findWebhook } from '@notify/db/webhooks';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { readWebhookId, showWebhook, WebhookParams } from './webhook.ts';

export const getWebhook = defineRoute({
  operationId: 'webhooks.get',
  method: 'get',
  path: '/v1/webhooks/:id',
  tag: 'Webhooks',
  summary: 'Retrieve a webhook',
  credential: 'bearer',
  scope: 'webhooks:read',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Webhook,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, { db }: { db: Db }) {
    return showWebhook(db, tenantId, await findWebhook(db, tenantId, readWebhookId(params.id)));
  },
});
