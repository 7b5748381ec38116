import { AcceptedGroup, SendGroup } from '@notify/contract';
import type { Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { NoParams, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { takeRate } from '../keys/take-rate.ts';
import { keySender } from '../sending/key-sender.ts';
import { type GroupNeeds, groupProblems, sendDescription, sendGroupOf } from './send.ts';

export const [sendGroup, sendTenantGroup] = defineTwins({
  byKey: { operationId: 'groups.send', path: '/v1/notify/send', tag: 'Sending', scope: 'send' },
  byBearer: {
    operationId: 'tenantGroups.send',
    path: '/v1/groups',
    tag: 'Messages',
    summary: 'Send a group from the dashboard',
    description: `As \`POST /v1/notify/send\`, with an access token instead of an API key. ${sendDescription}`,
    scope: 'messages:send',
  },
  method: 'post',
  summary: 'Send by the first route that works',
  description: sendDescription,
  params: NoParams,
  query: NoQuery,
  body: SendGroup,
  idempotencyHeader: 'taken',
  status: 202,
  response: AcceptedGroup,
  problems: groupProblems,
  async handle(
    { body, caller, request, reply },
    deps: GroupNeeds & { readonly db: Db; readonly keyRates: KeyRates },
  ) {
    const { tenantId, keyId } = caller;
    if (keyId === null)
      await takeRate(deps, tenantId, deps.settings.keyRatePerMinute, (name, value) =>
        reply.header(name, value),
      );
    const sender = { tenantId, keyId, on: (channel: Channel) => keySender(caller, channel, deps) };
    return sendGroupOf(caller, sender, body, request, deps);
  },
});
