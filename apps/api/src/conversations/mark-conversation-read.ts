import type { Adapter } from '@notify/channels';
import { MarkedConversation, ReadConversation } from '@notify/contract';
import { parseId, type Told } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findConversation, markRead, writtenToTell } from '@notify/db/conversations';
import { found } from '../problems/found.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { ConversationParams, readConversationId, toConversations } from './conversation.ts';
import { tell, type TellNeeds } from './tell.ts';

export const [markConversationReadByKey, markConversationRead] = defineTwins({
  byKey: {
    operationId: 'keyConversations.markRead',
    path: '/v1/notify/conversations/:id/read',
    tag: 'Conversations',
    scope: 'conversations:write',
  },
  byBearer: {
    operationId: 'conversations.markRead',
    path: '/v1/conversations/:id/read',
    tag: 'Conversations',
    scope: 'conversations:write',
  },
  method: 'post',
  summary: 'Mark messages as read',
  description:
    'Marks the message and all earlier ones of the conversation as read, for everybody who uses the tenant. With `tellSender` the person who wrote is told, too, where the provider can: WhatsApp then shows blue ticks. That is best effort and tried once, for at most 10 seconds. `delivered` says whether the provider took it, and otherwise `reason` why not; the messages are marked either way.',
  params: ConversationParams,
  query: NoQuery,
  body: ReadConversation,
  status: 200,
  response: MarkedConversation,
  problems: ['not-found', 'invalid-request'],
  async handle(
    { params, body, caller: { tenantId, accountIds }, request },
    deps: TellNeeds & { readonly dashboardDb: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const conversationId = readConversationId(params.id);
    const messageId = body.messageId === undefined ? null : parseId('msg', body.messageId);
    if (messageId === null && body.messageId !== undefined) throw notItsMessage();
    const marked = await markRead(deps.db, { tenantId, conversationId, accountIds, messageId });
    if (marked === 'no-conversation') throw new Problem('not-found');
    if (marked === 'no-message') throw notItsMessage();
    const row = found(await findConversation(deps.db, tenantId, conversationId));
    const { before: after, through } = marked;
    const told: Told =
      body.tellSender === true
        ? await tell(
            {
              tenantId,
              accountId: row.account_id,
              conversationId,
              state: 'read',
              to: row.address,
              written: () => writtenToTell(deps.db, { tenantId, conversationId, after, through }),
              place: request.place,
            },
            deps,
          )
        : { delivered: false, reason: 'not-asked' };
    const [conversation] = await toConversations([row], tenantId, deps);
    return { ...conversation!, ...told };
  },
});

function notItsMessage(): Problem {
  return invalidRequest({ at: 'body/messageId', message: 'must be a message of this conversation' });
}
