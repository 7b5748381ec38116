import { AcceptedGroup, SendGroup } from '@notify/contract';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { takeRate } from '../keys/take-rate.ts';
import { groupProblems, sendDescription, sendGroupOf, type GroupNeeds } from './send.ts';

export const sendTenantGroup = defineRoute({
  operationId: 'tenantGroups.send',
  method: 'post',
  path: '/v1/groups',
  tag: 'Messages',
  summary: 'Send a group from the dashboard',
  description: `As \`POST /v1/notify/send\`, with an access token instead of an API key. ${sendDescription}`,
  credential: 'bearer',
  scope: 'messages:send',
  params: NoParams,
  query: NoQuery,
  body: SendGroup,
  idempotencyHeader: 'taken',
  status: 202,
  response: AcceptedGroup,
  problems: groupProblems,
  async handle({ body, caller, request, reply }, deps: GroupNeeds & { readonly keyRates: KeyRates }) {
    const { tenantId } = caller;
    await takeRate(deps, tenantId, deps.settings.keyRatePerMinute, (name, value) =>
      reply.header(name, value),
    );
    const sender = { tenantId, keyId: null };
    return sendGroupOf(caller, { ...sender, on: async () => sender }, body, request, deps);
  },
});
