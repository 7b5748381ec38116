import { MessageRecords, MessagesQuery } from '@notify/contract';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { toRecord } from '../sending/message-details.ts';
import { listDescription, type ListNeeds, pageOfMessages } from './message-list.ts';

export const listMessages = defineRoute({
  operationId: 'tenantMessages.list',
  method: 'get',
  path: '/v1/messages',
  tag: 'Messages',
  summary: 'List messages',
  description: listDescription,
  credential: 'bearer',
  scope: 'messages:read',
  params: NoParams,
  query: MessagesQuery,
  body: NoBody,
  status: 200,
  response: MessageRecords,
  problems: ['invalid-request'],
  handle: ({ query, caller: { tenantId } }, deps: ListNeeds) =>
    pageOfMessages(query, { tenantId, accountIds: null }, toRecord, deps),
});
