import { EventsSecret } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import type { Secrets } from '@notify/runtime';
import { defineRoute, NoBody, NoParams, NoQuery } from '../http/route.ts';
import { eventSecretOf } from './event-secret.ts';

export const getEventsSecret = defineRoute({
  operationId: 'events.getSecret',
  method: 'get',
  path: '/v1/events/secret',
  tag: 'Event list',
  summary: 'Get the secret of the event list',
  description: 'Signs the events of the list and of the stream. Verify them as those of a webhook.',
  credential: 'bearer',
  scope: 'events:read',
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: EventsSecret,
  problems: [],
  async handle(
    { caller: { tenantId }, reply },
    deps: { readonly dashboardDb: Db; readonly secrets: Secrets },
  ) {
    reply.header('Cache-Control', 'no-store');
    return { secret: await eventSecretOf(tenantId, deps) };
  },
});
