import { plainPhone } from '@notify/core';
import type { InputOf } from '../../api/client.ts';
import { rangeOf, readTimes, type Times } from '../../parts/list/span.ts';
import { channels } from '../messages/list/filter.ts';

type Query = NonNullable<InputOf<'get /v1/conversations'>['query']>;

/** The filter of the list. It is part of the address. Its times are those of the last messages. */
export interface ConversationFilter extends Times {
  /** A part of the contact's name, username or address. */
  readonly search: string | null;
  readonly channel: (typeof channels)[number] | null;
  readonly account: string | null;
  /** Only those with unread messages. */
  readonly isUnread: boolean;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readFilter(search: URLSearchParams): ConversationFilter {
  const text = (name: string): string | null => search.get(name)?.trim() || null;
  return {
    search: text('search'),
    channel: channels.find((one) => one === search.get('channel')) ?? null,
    account: text('account'),
    isUnread: search.get('unread') === 'true',
    ...readTimes(search),
  };
}

/** Writes a filter as the search part of an address. */
export function writeFilter({ isUnread, ...texts }: ConversationFilter): URLSearchParams {
  const given = Object.entries({ ...texts, unread: isUnread ? 'true' : null });
  return new URLSearchParams(given.filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The number of conditions. The two ends of a range are one. */
export function countOf({ from, until, ...filter }: ConversationFilter): number {
  return writeFilter({ ...filter, from: from ?? until, until: null }).size;
}

/** A whole number is looked up in any spelling. Anything else is looked for among the newest conversations. */
const wholeNumber = /^\+[1-9]\d{6,14}$/;

/** The query for the api. `nowMs` is the end of a span, in ms since 1970. */
export function queryOf(
  { search, channel, account, isUnread, ...times }: ConversationFilter,
  nowMs: number,
): Query {
  const number = plainPhone(search ?? '');
  return {
    ...(search === null ? {} : wholeNumber.test(number) ? { to: number } : { search }),
    ...(channel === null ? {} : { channel }),
    ...(account === null ? {} : { channelAccountId: account }),
    ...(isUnread ? { unread: true } : {}),
    ...rangeOf(times, nowMs),
  };
}
