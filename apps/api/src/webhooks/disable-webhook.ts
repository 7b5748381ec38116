import { Webhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { disableWebhook as disable } from '@notify/db/webhooks';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { readWebhookId, showWebhook, WebhookParams } from './webhook.ts';

export const disableWebhook = defineRoute({
  operationId: 'webhooks.disable',
  method: 'patch',
  path: '/v1/webhooks/:id/disable',
  tag: 'Webhooks',
  summary: 'Disable a webhook',
  description: 'Keeps the webhook, but stops deliveries. Pending ones are skipped.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Webhook,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId } }, { db }: { db: Db }) {
    return showWebhook(db, tenantId, await disable(db, tenantId, readWebhookId(params.id)));
  },
});
