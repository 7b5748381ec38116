import { Usage, UsageQuery } from '@notify/contract';
import { channels, formatId } from '@notify/core';
import type { WebhookFigures } from '@notify/db/usage';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { stateOf } from '../webhooks/webhook.ts';
import { toMessageUsage } from './figures.ts';
import { readPeriod } from './period.ts';
import { readFigures, type UsageReader } from './reader.ts';

export const getUsage = defineRoute({
  operationId: 'usage.get',
  method: 'get',
  path: '/v1/usage',
  tag: 'Messages',
  summary: 'Count messages by time, channel and status',
  description:
    'Includes the delivery rate, the time to delivered, failures by error code, and webhook health. A message counts in the hour or day it was accepted or received, even if its status changes later. Figures are updated every few seconds; `asOf` is the time of the last update.',
  credential: 'bearer',
  scope: 'usage:read',
  params: NoParams,
  query: UsageQuery,
  body: NoBody,
  status: 200,
  response: Usage,
  problems: ['invalid-request'],
  async handle({ query, caller: { tenantId } }, { usageReader }: { usageReader: UsageReader }) {
    const { channel, channelAccountId: accountId, tag } = query;
    const { per, from, until, starts } = readPeriod(query, new Date());
    const asked = { tenantId, per, from, until, channel, accountId, tag };
    const { asOf, messages, webhooks } = await readFigures(usageReader, asked);
    return {
      from: from.toISOString(),
      until: until.toISOString(),
      per,
      asOf: asOf?.toISOString() ?? null,
      ...toMessageUsage(messages, channel === undefined ? channels : [channel], starts),
      webhooks: webhooks.map(toWebhookUsage),
    };
  },
});

function toWebhookUsage({
  id,
  url,
  isActive,
  failureCount,
  attempts,
  ...rest
}: WebhookFigures): WebhookUsage {
  const answered = (kind: string): number => attempts[kind] ?? 0;
  return {
    id: formatId('wh', id),
    url,
    state: stateOf({ isActive, failureCount }),
    delivered: answered('2xx'),
    ...rest,
    attempts: {
      '2xx': answered('2xx'),
      '3xx': answered('3xx'),
      '4xx': answered('4xx'),
      '5xx': answered('5xx'),
      none: answered('none'),
    },
  };
}

type WebhookUsage = Usage['webhooks'][number];
