import type { InputOf } from '../../../api/client.ts';

/** The filter of the list. It is part of the address. */
export interface ConsentFilter {
  readonly recipient: string | null;
  readonly status: 'opted-out' | 'opted-in' | null;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readFilter(search: URLSearchParams): ConsentFilter {
  const recipient = search.get('recipient')?.trim() ?? '';
  const status = search.get('status');
  return {
    recipient: recipient === '' ? null : recipient,
    status: status === 'opted-out' || status === 'opted-in' ? status : null,
  };
}

/** Writes a filter as the search part of an address. */
export function writeFilter(filter: ConsentFilter): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given);
}

/** The query for the api. */
export function queryOf(
  { recipient, status }: ConsentFilter,
  channelAccountId: string,
): NonNullable<InputOf<'get /v1/consent'>['query']> {
  return {
    channelAccountId,
    ...(recipient === null ? {} : { recipient }),
    ...(status === null ? {} : { status }),
  };
}
