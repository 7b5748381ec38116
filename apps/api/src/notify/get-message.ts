import { MessageDetails } from '@notify/contract';
import { parseId } from '@notify/core';
import Type from 'typebox';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { lookUp, type LookUps } from '../sending/look-up.ts';
import { toDetails } from '../sending/message-details.ts';

export const getMessage = defineRoute({
  operationId: 'messages.get',
  method: 'get',
  path: '/v1/notify/messages/:id',
  tag: 'Sending',
  summary: 'Retrieve a message',
  description:
    'A key for some accounts gets 404 for messages of other accounts, and for its own bulk items that failed with `channel-account-not-found`, because those have no account.',
  credential: 'api-key',
  scope: 'read',
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found'],
  async handle({ params, caller }, deps: { readonly lookUps: LookUps }) {
    const message = await lookUp(deps.lookUps, { ...caller, messageId: found(parseId('msg', params.id)) });
    if (message === 'key-revoked') throw new Problem('invalid-api-key');
    return toDetails(found(message));
  },
});
