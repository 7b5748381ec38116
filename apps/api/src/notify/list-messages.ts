import { Messages, MessagesQuery } from '@notify/contract';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { listDescription, type ListNeeds, pageOfMessages } from '../messages/message-list.ts';
import { toDetails } from '../sending/message-details.ts';

export const listMessagesByKey = defineRoute({
  operationId: 'messages.list',
  method: 'get',
  path: '/v1/notify/messages',
  tag: 'Sending',
  summary: 'List messages',
  description: `${listDescription} A key for some accounts lists only their messages.`,
  credential: 'api-key',
  scope: 'list',
  params: NoParams,
  query: MessagesQuery,
  body: NoBody,
  status: 200,
  response: Messages,
  problems: ['invalid-request'],
  handle: ({ query, caller }, deps: ListNeeds) => pageOfMessages(query, caller, toDetails, deps),
});
