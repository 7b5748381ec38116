import { ChangeWebhook, Webhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { changeWebhook as change, findWebhook } from '@notify/db/webhooks';
import type { Settings } from '@notify/runtime';
import { readAccountIds } from '../keys/narrowing.ts';
import { found } from '../problems/found.ts';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { judgeWebhookUrl } from './webhook-url.ts';
import { readPacking, readWebhookId, showWebhook, WebhookParams } from './webhook.ts';

export const changeWebhook = defineRoute({
  operationId: 'webhooks.update',
  method: 'patch',
  path: '/v1/webhooks/:id',
  tag: 'Webhooks',
  summary: 'Update a webhook',
  description:
    'Changing the URL resets the failure count. Pending deliveries go to the new URL. New `events` and filters apply to events from then on, and null removes a filter. After a change of the URL or of `delivery`, pending events are packed anew.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: ChangeWebhook,
  status: 200,
  response: Webhook,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, body, caller }, deps: Wakes & { readonly db: Db; readonly settings: Settings }) {
    const id = readWebhookId(params.id);
    // Whether there is such a webhook is judged before what it is to be.
    const present = found(await findWebhook(deps.db, caller.tenantId, id));
    const fault = body.url === undefined ? null : judgeWebhookUrl(body.url, deps.settings);
    if (fault !== null) throw invalidRequest({ at: 'body/url', message: fault });
    const { channelAccountIds, delivery, ...fields } = body;
    const packing = delivery && readPacking(delivery);
    const accountIds =
      channelAccountIds &&
      (await readAccountIds(channelAccountIds, caller.tenantId, deps, present.accountIds ?? []));
    const description = body.description === '' ? null : body.description;
    const row = found(
      await change(deps.db, caller.tenantId, id, { ...fields, accountIds, packing, description }),
    );
    wakeSoon(deps, 'webhooks', row);
    return showWebhook(deps.db, caller.tenantId, row);
  },
});
