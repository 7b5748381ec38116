import type { Adapter } from '@notify/channels';
import { Conversation } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findConversation } from '@notify/db/conversations';
import { found } from '../problems/found.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { ConversationParams, readConversationId, toConversations } from './conversation.ts';

export const getConversation = defineRoute({
  operationId: 'conversations.get',
  method: 'get',
  path: '/v1/conversations/:id',
  tag: 'Conversations',
  summary: 'Retrieve a conversation',
  credential: 'bearer',
  scope: 'conversations:read',
  params: ConversationParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Conversation,
  problems: ['not-found'],
  async handle(
    { params, caller: { tenantId } },
    deps: { readonly dashboardDb: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const id = readConversationId(params.id);
    const row = found(await findConversation(deps.dashboardDb, tenantId, id));
    const [conversation] = await toConversations([row], tenantId, deps);
    return conversation!;
  },
});
