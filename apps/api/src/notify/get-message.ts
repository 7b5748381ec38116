import { MessageDetails } from '@notify/contract';
import { parseId } from '@notify/core';
import Type from 'typebox';
import { found } from '../http/found.ts';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toDetails } from './message-details.ts';

export const getMessage = defineRoute({
  method: 'get',
  path: '/v1/notify/messages/:id',
  tag: 'Sending',
  summary: 'Retrieve a message',
  credential: 'api-key',
  params: Type.Object({ id: Type.String() }),
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found'],
  async handle({ params, caller }, deps) {
    const message = await deps.lookUp({ ...caller, messageId: found(parseId('msg', params.id)) });
    if (message === 'key-revoked') throw new Problem('invalid-api-key');
    return toDetails(found(message));
  },
});
