import { MessageDetails } from '@notify/contract';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { cancel, cancelDescription, type CancelNeeds } from '../messages/cancel.ts';
import { MessageParams, readMessageId } from '../messages/message-id.ts';

export const cancelMessageByKey = defineRoute({
  operationId: 'messages.cancel',
  method: 'post',
  path: '/v1/notify/messages/:id/cancel',
  tag: 'Sending',
  summary: 'Cancel a message',
  description: cancelDescription,
  credential: 'api-key',
  scope: 'cancel',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found', 'not-cancelable'],
  handle: ({ params, caller }, deps: CancelNeeds) => cancel(readMessageId(params.id), caller, deps),
});
