import { Webhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { listWebhooks as list } from '@notify/db/webhooks';
import Type from 'typebox';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { showWebhooks } from './webhook.ts';

export const listWebhooks = defineRoute({
  operationId: 'webhooks.list',
  method: 'get',
  path: '/v1/webhooks',
  tag: 'Webhooks',
  summary: 'List webhooks',
  credential: 'bearer',
  scope: 'webhooks:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Type.Array(Webhook),
  problems: [],
  async handle({ caller }, deps: { readonly db: Db }) {
    const rows = await list(deps.db, caller.tenantId);
    return showWebhooks(deps.db, caller.tenantId, rows);
  },
});
