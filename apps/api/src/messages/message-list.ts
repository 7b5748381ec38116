import type { MessageDetails, Messages, MessagesQuery } from '@notify/contract';
import { contactKeys, parseId, plainPhone } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findKnownAddresses, type MessageFilter, type MessageRow, searchMessages } from '@notify/db/messages';
import { invalidRequest } from '../problems/problem.ts';
import { nextOf, readCursor } from './listing.ts';
import { type Searches, searchWithin } from './search.ts';

/** What `pageOfMessages` needs. */
export interface ListNeeds {
  readonly dashboardDb: Db;
  readonly searches: Searches;
}

const defaultLimit = 50;

/** Fields that both routes share. */
export const listDescription =
  'Newest first. A filtered search runs for about half a second and returns what it has found. A page can therefore be short or empty and still have a `nextCursor`; use it to continue the search.';

/** The messages that a caller may list. `accountIds`: the only accounts; null: all. */
export interface Listing {
  readonly tenantId: string;
  readonly accountIds: readonly string[] | null;
}

/** A page of messages, each as `show` shows it. Throws a Problem for a cursor, a group or a time that cannot be. */
export async function pageOfMessages<Shown extends MessageDetails>(
  query: MessagesQuery,
  { tenantId, accountIds }: Listing,
  show: (message: MessageRow) => Shown,
  { searches, dashboardDb }: { dashboardDb: Db; searches: Searches },
): Promise<Omit<Messages, 'data'> & { data: Shown[] }> {
  const { limit = defaultLimit } = query;
  const before = query.cursor === undefined ? undefined : readCursor('msg', query.cursor);
  const asked = toFilter(query);
  const known = (list: readonly string[] | undefined) =>
    list === undefined ? undefined : findKnownAddresses(dashboardDb, tenantId, list);
  const filter = {
    ...asked,
    knownRecipients: await known(asked.recipients),
    knownSenders: await known(asked.senders),
    ...(accountIds === null ? {} : { accountIds }),
  };
  const { messages, next } = await searchWithin(searches, searchMessages, {
    tenantId,
    filter,
    before,
    limit,
  });
  return {
    data: messages.map(show),
    ...nextOf('msg', next),
  };
}

function readGroup(text: string): string {
  const id = parseId('grp', text);
  if (id === null) throw invalidRequest({ at: 'query/groupId', message: 'must be the ID of a group: grp_…' });
  return id;
}

function toFilter(query: MessagesQuery): MessageFilter {
  const { direction = 'outbound', channel, status, channelAccountId, to, sender, from, until } = query;
  const { errorCode, externalId, idempotencyKey, groupId, tag } = query;
  const filter = {
    direction: direction === 'all' ? undefined : direction,
    channel,
    status,
    accountId: channelAccountId?.toLowerCase(),
    recipients: to === undefined ? undefined : spellingsOf(to),
    senders: sender === undefined ? undefined : spellingsOf(sender),
    errorCode,
    externalId,
    idempotencyKey,
    groupId: groupId === undefined ? undefined : readGroup(groupId),
    tag,
    scheduled: query.scheduled,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  };
  if (filter.from !== undefined && filter.until !== undefined && filter.from >= filter.until)
    throw invalidRequest({ at: 'query/until', message: 'must be after from' });
  return filter;
}

/**
 * The spellings of an address: with and without its plus, a phone number without the brackets and spaces that people type,
 * the other spelling of its country, and a username of Telegram in small letters. In an unescaped query the plus arrives as a
 * space.
 */
export function spellingsOf(address: string): string[] {
  const bare = address.replace(/^[+ ]/, '');
  const plain = plainPhone(address).replace(/^\+/, '');
  const digits = [bare, plain, ...contactKeys('sms', plain)];
  const [username] = contactKeys('telegram', address.trim());
  return [...new Set([...digits, ...digits.map((spelling) => `+${spelling}`), username!])];
}
