import { MessageDetails } from '@notify/contract';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { cancel, cancelDescription, type CancelNeeds } from './cancel.ts';
import { MessageParams, readMessageId } from './message-id.ts';

export const cancelMessage = defineRoute({
  operationId: 'tenantMessages.cancel',
  method: 'post',
  path: '/v1/messages/:id/cancel',
  tag: 'Messages',
  summary: 'Cancel a message',
  description: cancelDescription,
  credential: 'bearer',
  scope: 'messages:manage',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found', 'not-cancelable'],
  handle: ({ params, caller: { tenantId } }, deps: CancelNeeds) =>
    cancel(readMessageId(params.id), { tenantId, accountIds: null }, deps),
});
