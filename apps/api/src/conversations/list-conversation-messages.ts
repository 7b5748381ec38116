import { ConversationMessages, ConversationMessagesQuery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { readThread } from '@notify/db/conversations';
import { found } from '../problems/found.ts';
import { NoBody } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { placeOf } from '../messages/listing.ts';
import { toDetails } from '../sending/message-details.ts';
import { ConversationParams, readConversationId, toCursor } from './conversation.ts';

export const [listConversationMessagesByKey, listConversationMessages] = defineTwins({
  byKey: {
    operationId: 'keyConversations.listMessages',
    path: '/v1/notify/conversations/:id/messages',
    tag: 'Conversations',
    scope: 'conversations:read',
  },
  byBearer: {
    operationId: 'conversations.listMessages',
    path: '/v1/conversations/:id/messages',
    tag: 'Conversations',
    scope: 'conversations:read',
  },
  method: 'get',
  summary: 'List the messages of a conversation',
  description:
    'In both directions, newest first. Messages that were sent before the contact wrote or paired are not in it. A page of large messages may be short.',
  params: ConversationParams,
  query: ConversationMessagesQuery,
  body: NoBody,
  status: 200,
  response: ConversationMessages,
  problems: ['not-found', 'invalid-request'],
  async handle({ params, query, caller: { tenantId, accountIds } }, { dashboardDb }: { dashboardDb: Db }) {
    const { before, limit } = placeOf('msg', query);
    const search = {
      tenantId,
      conversationId: readConversationId(params.id),
      accountIds,
      before,
      limit,
    };
    const { messages, next } = found(await readThread(dashboardDb, search));
    return { data: messages.map(toDetails), nextCursor: toCursor(next) };
  },
});
