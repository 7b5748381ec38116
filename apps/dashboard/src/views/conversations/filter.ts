import type { InputOf } from '../../api/client.ts';
import { channels } from '../messages/filter.ts';

type Query = NonNullable<InputOf<'get /v1/conversations'>['query']>;

/** The filter of the list. It is part of the address. */
export interface ConversationFilter {
  readonly channel: (typeof channels)[number] | null;
  readonly account: string | null;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readFilter(search: URLSearchParams): ConversationFilter {
  const account = search.get('account')?.trim() ?? '';
  return {
    channel: channels.find((one) => one === search.get('channel')) ?? null,
    account: account === '' ? null : account,
  };
}

/** Writes a filter as the search part of an address. */
export function writeFilter(filter: ConversationFilter): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given);
}

/** Whether the filter leaves anything out. */
export function isFiltered({ channel, account }: ConversationFilter): boolean {
  return channel !== null || account !== null;
}

/** The query for the api. */
export function queryOf({ channel, account }: ConversationFilter): Query {
  return {
    ...(channel === null ? {} : { channel }),
    ...(account === null ? {} : { channelAccountId: account }),
  };
}
