import { Replay, ReplayWebhook } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { startReplay } from '@notify/db/webhooks';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { refusal } from './requested.ts';
import { readWebhookId, WebhookParams } from './webhook.ts';

export const replayWebhook = defineRoute({
  operationId: 'webhooks.replay',
  method: 'post',
  path: '/v1/webhooks/:id/replay',
  tag: 'Webhooks',
  summary: 'Replay undelivered events',
  description:
    'Delivers every subscribed event since then that was not delivered, including those from while the webhook was disabled. The present `events` and filters of the webhook decide. Runs in the background, oldest first, alongside new events. The response says how many events there are.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: WebhookParams,
  query: NoQuery,
  body: ReplayWebhook,
  status: 202,
  response: Replay,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, body, caller }, deps: { readonly db: Db; readonly dashboardDb: Db }) {
    const since = new Date(body.since);
    if (since.getTime() > Date.now()) {
      throw invalidRequest({ at: 'body/since', message: 'must not be in the future' });
    }
    const wanted = { tenantId: caller.tenantId, webhookId: readWebhookId(params.id), since };
    const replay = await startReplay(deps.db, deps.dashboardDb, wanted);
    if (replay.kind !== 'replays') throw refusal(replay.kind);
    const { until, missed } = replay;
    return {
      since: since.toISOString(),
      until: until.toISOString(),
      events: missed.events,
      eventsComplete: missed.isAll,
    };
  },
});
