import { Usage, UsageQuery } from '@notify/contract';
import { channels } from '@notify/core';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { readPeriod } from './period.ts';

const nothing = { accepted: 0, waiting: 0, sent: 0, delivered: 0, read: 0, failed: 0 };
const noTotals = { ...nothing, deliveryRate: null, timeToDelivered: null };

export const getUsage = defineRoute({
  method: 'get',
  path: '/v1/usage',
  tag: 'Messages',
  summary: 'Count messages by time, channel and status',
  description: 'With the delivery rate, the time to delivered, failures by reason, and how webhooks do.',
  credential: 'bearer',
  params: NoParams,
  query: UsageQuery,
  body: NoBody,
  status: 200,
  response: Usage,
  problems: ['invalid-request'],
  async handle({ query }) {
    const { per, from, until, starts } = readPeriod(query, new Date());
    const asked = channels.filter((channel) => query.channel === undefined || channel === query.channel);
    return Promise.resolve({
      from: from.toISOString(),
      until: until.toISOString(),
      per,
      asOf: null,
      totals: noTotals,
      channels: asked.map((channel) => ({ channel, ...noTotals })),
      buckets: starts.map((start) => ({ startsAt: start.toISOString(), ...nothing, channels: [] })),
      failures: [],
      webhooks: [],
    });
  },
});
