import { RequestedDelivery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { testWebhook as sendTest } from '@notify/db/webhooks';
import type { Waker } from '@notify/queue';
import type { Settings, Log } from '@notify/runtime';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { requireRate } from '../keys/take-rate.ts';
import { requested } from './requested.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const testWebhook = defineRoute({
  operationId: 'webhooks.test',
  method: 'post',
  path: '/v1/webhooks/:id/test',
  tag: 'Webhooks',
  summary: 'Send a test event',
  description:
    'Posts a `webhook.test` event, whichever events the webhook receives. It is signed like any other, and not retried. A failing webhook is tried immediately, starting with the oldest pending delivery. A disabled webhook receives none. Requests are limited per tenant and minute.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: NoBody,
  status: 202,
  response: RequestedDelivery,
  problems: ['not-found', 'invalid-request', 'rate-limited'],
  async handle(
    { params, caller },
    deps: {
      readonly db: Db;
      readonly settings: Settings;
      readonly waker: Waker;
      readonly log: Log;
      readonly webhookTestRates: KeyRates;
    },
  ) {
    const id = readWebhookId(params.id);
    await requireRate(deps.webhookTestRates, caller.tenantId, deps.settings.webhookTestsPerMinute);
    return requested(deps, id, await sendTest(deps.db, caller.tenantId, id));
  },
});
