import type { Adapter } from '@notify/channels';
import { Conversations, ConversationsQuery } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { listConversations as list } from '@notify/db/conversations';
import { NoBody, NoParams } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { placeOf } from '../messages/listing.ts';
import { toConversations, toCursor } from './conversation.ts';

export const [listConversationsByKey, listConversations] = defineTwins({
  byKey: {
    operationId: 'keyConversations.list',
    path: '/v1/notify/conversations',
    tag: 'Conversations',
    scope: 'conversations:read',
    description: 'A key for some accounts lists only their conversations.',
  },
  byBearer: {
    operationId: 'conversations.list',
    path: '/v1/conversations',
    tag: 'Conversations',
    scope: 'conversations:read',
  },
  method: 'get',
  summary: 'List conversations',
  description:
    'One per account and contact that wrote to it or paired, the one with the newest message first. A conversation that gets a message while you read the pages moves to the first one. Sends to anyone else make no conversation. `from` and `until` compare the time at which we stored the last message, or the pairing if there is no message. A page of large messages may be short. With `unread` or `search`, a page looks through the newest 1,000 conversations, so it may be short or empty although there is a `nextCursor`.',
  params: NoParams,
  query: ConversationsQuery,
  body: NoBody,
  status: 200,
  response: Conversations,
  problems: ['invalid-request'],
  async handle(
    { query, caller: { tenantId, accountIds } },
    deps: { readonly dashboardDb: Db; readonly adapters: ReadonlyMap<string, Adapter> },
  ) {
    const { channel, channelAccountId, to, unread, search } = query;
    const { conversations, next } = await list(deps.dashboardDb, {
      tenantId,
      channel,
      accountId: channelAccountId?.toLowerCase(),
      accountIds,
      // In an unescaped query the plus arrives as a space.
      contact: to?.replace(/^ /, '+'),
      unread,
      search: search?.trim(),
      ...placeOf('msg', query),
    });
    const data = await toConversations(conversations, tenantId, deps);
    const isWhole = data.length === conversations.length;
    const last = conversations[data.length - 1];
    return { data, nextCursor: toCursor(isWhole ? next : last!.latest_id) };
  },
});
