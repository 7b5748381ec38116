import { CanceledMessages, CancelMessages } from '@notify/contract';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import type { CancelNeeds } from './cancel.ts';
import { cancelMany, cancelManyDescription } from './cancel-many.ts';

export const cancelMessages = defineRoute({
  operationId: 'tenantMessages.cancelMany',
  method: 'post',
  path: '/v1/messages/cancel',
  tag: 'Messages',
  summary: 'Cancel messages by filter',
  description: cancelManyDescription,
  credential: 'bearer',
  scope: 'messages:manage',
  params: NoParams,
  query: NoQuery,
  body: CancelMessages,
  status: 200,
  response: CanceledMessages,
  problems: ['invalid-request'],
  handle: ({ body, caller: { tenantId } }, deps: CancelNeeds) =>
    cancelMany(body, { tenantId, accountIds: null }, deps),
});
