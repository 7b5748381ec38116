import { CanceledMessages, CancelMessages } from '@notify/contract';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import type { CancelNeeds } from '../messages/cancel.ts';
import { cancelMany, cancelManyDescription } from '../messages/cancel-many.ts';

export const cancelMessagesByKey = defineRoute({
  operationId: 'messages.cancelMany',
  method: 'post',
  path: '/v1/notify/messages/cancel',
  tag: 'Sending',
  summary: 'Cancel messages by filter',
  description: `${cancelManyDescription} A key for some accounts cancels only their messages.`,
  credential: 'api-key',
  scope: 'cancel',
  params: NoParams,
  query: NoQuery,
  body: CancelMessages,
  status: 200,
  response: CanceledMessages,
  problems: ['invalid-request'],
  handle: ({ body, caller }, deps: CancelNeeds) => cancelMany(body, caller, deps),
});
