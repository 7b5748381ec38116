import { Messages, MessagesQuery } from '@notify/contract';
import { formatId, parseId, plainPhone } from '@notify/core';
import { type MessageFilter, searchedTo } from '@notify/db/messages';
import { invalidRequest } from '../http/problem.ts';
import { defineRoute, NoBody, NoParams } from '../http/route.ts';
import { toDetails } from '../notify/message-details.ts';

const defaultLimit = 50;

export const listMessages = defineRoute({
  method: 'get',
  path: '/v1/messages',
  tag: 'Messages',
  summary: 'List messages',
  description:
    'Newest first. A filtered search runs for about half a second and returns what it has found. A page can therefore be short or empty and still have a `nextCursor`; use it to continue the search.',
  credential: 'bearer',
  params: NoParams,
  query: MessagesQuery,
  body: NoBody,
  status: 200,
  response: Messages,
  problems: ['invalid-request'],
  async handle({ query, caller: { tenantId } }, deps) {
    const { limit = defaultLimit } = query;
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    const { messages, next } = await deps.searchMessages({
      tenantId,
      filter: toFilter(query),
      before,
      limit,
    });
    return {
      data: messages.map(toDetails),
      nextCursor: next === null ? null : formatId('msg', next),
      searchedTo: next === null ? null : searchedTo(next).toISOString(),
    };
  },
});

function readCursor(text: string): string {
  const id = parseId('msg', text);
  if (id === null)
    throw invalidRequest({ at: 'query/cursor', message: 'must be the nextCursor of a previous page' });
  return id;
}

function toFilter(query: MessagesQuery): MessageFilter {
  const { direction = 'outbound', channel, status, channelAccountId, to, sender, from, until } = query;
  const filter = {
    direction: direction === 'all' ? undefined : direction,
    channel,
    status,
    accountId: channelAccountId?.toLowerCase(),
    recipients: to === undefined ? undefined : spellingsOf(to),
    senders: sender === undefined ? undefined : spellingsOf(sender),
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  };
  if (filter.from !== undefined && filter.until !== undefined && filter.from >= filter.until)
    throw invalidRequest({ at: 'query/until', message: 'must be after from' });
  return filter;
}

/**
 * The spellings of an address: with and without its plus, and a phone number without the brackets and spaces that
 * people type. In an unescaped query the plus arrives as a space.
 */
function spellingsOf(address: string): string[] {
  const bare = address.replace(/^[+ ]/, '');
  const plain = plainPhone(address).replace(/^\+/, '');
  return [...new Set([bare, `+${bare}`, plain, `+${plain}`])];
}
