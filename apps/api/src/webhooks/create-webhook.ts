import { randomUUIDv7 } from 'node:crypto';
import { CreatedWebhook, CreateWebhook } from '@notify/contract';
import { eventNames, formatId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { createWebhook as create } from '@notify/db/webhooks';
import type { Settings, Secrets } from '@notify/runtime';
import { readAccountIds } from '../keys/narrowing.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { newWebhookSecret, secretPlace } from './webhook-secret.ts';
import { judgeWebhookUrl } from './webhook-url.ts';
import { readPacking, shownFilters, shownMode } from './webhook.ts';

export const createWebhook = defineRoute({
  operationId: 'webhooks.create',
  method: 'post',
  path: '/v1/webhooks',
  tag: 'Webhooks',
  summary: 'Create a webhook',
  description:
    'The signing secret is only returned in this response. Without `events`, the webhook receives all five. Of these events it receives those that match all of `channelAccountIds`, `channels` and `tags` that are set.',
  credential: 'bearer',
  scope: 'webhooks:write',
  params: NoParams,
  query: NoQuery,
  body: CreateWebhook,
  status: 201,
  response: CreatedWebhook,
  problems: ['invalid-request', 'limit-reached'],
  async handle(
    { body, caller: { tenantId } },
    { db, secrets, settings }: { db: Db; settings: Settings; secrets: Secrets },
  ) {
    const fault = judgeWebhookUrl(body.url, settings);
    if (fault !== null) throw invalidRequest({ at: 'body/url', message: fault });
    const packing = body.delivery === undefined ? null : readPacking(body.delivery);
    const id = randomUUIDv7();
    const secret = newWebhookSecret();
    const sealed = secrets.seal(secret, secretPlace(tenantId, id));
    const { url, events = eventNames, channels = null, tags = null, description = '' } = body;
    const accountIds = await readAccountIds(body.channelAccountIds ?? undefined, tenantId, { db });
    const row = await create(
      db,
      {
        id,
        tenantId,
        url,
        events,
        accountIds,
        channels,
        tags,
        packing,
        description: description === '' ? null : description,
        secret: sealed,
      },
      settings.maxWebhooks,
    );
    if (row === null) {
      throw new Problem('limit-reached', { detail: `A tenant can have ${settings.maxWebhooks} webhooks.` });
    }
    return {
      id: formatId('wh', row.id),
      url: row.url,
      events: [...row.events],
      ...shownFilters(row),
      delivery: shownMode(row),
      isActive: row.isActive,
      secret,
      warning: 'Store the secret now. It is not shown again.',
    };
  },
});
