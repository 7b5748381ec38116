import { AcceptedGroup, SendGroup } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import { groupProblems, sendDescription, sendGroupOf, type GroupNeeds } from './send.ts';

export const sendGroup = defineRoute({
  operationId: 'groups.send',
  method: 'post',
  path: '/v1/notify/send',
  tag: 'Sending',
  summary: 'Send by the first route that works',
  description: sendDescription,
  credential: 'api-key',
  scope: 'send',
  params: NoParams,
  query: NoQuery,
  body: SendGroup,
  idempotencyHeader: 'taken',
  status: 202,
  response: AcceptedGroup,
  problems: groupProblems.filter((code) => code !== 'rate-limited'),
  handle({ body, caller, request }, deps: GroupNeeds & { readonly db: Db }) {
    const { tenantId, keyId } = caller;
    const sender = {
      tenantId,
      keyId,
      on: (channel: Parameters<typeof keySender>[1]) => keySender(caller, channel, deps),
    };
    return sendGroupOf(caller, sender, body, request, deps);
  },
});
