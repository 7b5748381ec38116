import type { Adapter } from '@notify/channels';
import { Conversation, ReadConversation } from '@notify/contract';
import { parseId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findConversation, markRead } from '@notify/db/conversations';
import { found } from '../problems/found.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { ConversationParams, readConversationId, toConversations } from './conversation.ts';

export const markConversationRead = defineRoute({
  operationId: 'conversations.markRead',
  method: 'post',
  path: '/v1/conversations/:id/read',
  tag: 'Conversations',
  summary: 'Mark messages as read',
  description:
    'Marks the message and all earlier ones of the conversation as read, for everybody who uses the tenant. The person who wrote is not told.',
  credential: 'bearer',
  scope: 'conversations:write',
  params: ConversationParams,
  query: NoQuery,
  body: ReadConversation,
  status: 200,
  response: Conversation,
  problems: ['not-found', 'invalid-request'],
  async handle(
    { params, body, caller: { tenantId } },
    deps: { readonly db: Db; readonly dashboardDb: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const conversationId = readConversationId(params.id);
    const messageId = body.messageId === undefined ? null : parseId('msg', body.messageId);
    if (messageId === null && body.messageId !== undefined) throw notItsMessage();
    const marked = await markRead(deps.db, { tenantId, conversationId, messageId });
    if (marked === 'no-conversation') throw new Problem('not-found');
    if (marked === 'no-message') throw notItsMessage();
    const row = found(await findConversation(deps.db, tenantId, conversationId));
    const [conversation] = await toConversations([row], tenantId, deps);
    return conversation!;
  },
});

function notItsMessage(): Problem {
  return invalidRequest({ at: 'body/messageId', message: 'must be a message of this conversation' });
}
