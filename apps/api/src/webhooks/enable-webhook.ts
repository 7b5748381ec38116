import { Webhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { enableWebhook as enable } from '@notify/db/webhooks';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { readWebhookId, showWebhook, WebhookParams } from './webhook.ts';

export const enableWebhook = defineRoute({
  operationId: 'webhooks.enable',
  method: 'patch',
  path: '/v1/webhooks/:id/enable',
  tag: 'Webhooks',
  summary: 'Enable a webhook',
  description: 'Resets the failure count.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Webhook,
  problems: ['not-found'],
  async handle({ params, caller }, deps: Wakes & { readonly db: Db }) {
    const row = found(await enable(deps.db, caller.tenantId, readWebhookId(params.id)));
    wakeSoon(deps, 'webhooks', row);
    return showWebhook(deps.db, caller.tenantId, row);
  },
});
