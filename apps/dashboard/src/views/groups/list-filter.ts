import { rangeOf, readTimes, type Times } from '../../parts/list/span.ts';

/** The filter of a list by recipient, status and time. It is part of the address, as that of messages is. */
export interface ListFilter<Status extends string> extends Times {
  readonly to: string | null;
  readonly status: Status | null;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readListFilter<Status extends string>(
  search: URLSearchParams,
  statuses: readonly Status[],
): ListFilter<Status> {
  const to = search.get('to')?.trim() ?? '';
  const status = statuses.find((one) => one === search.get('status')) ?? null;
  return { to: to === '' ? null : to, status, ...readTimes(search) };
}

/** Writes a filter as the search part of an address. */
export function writeListFilter(filter: ListFilter<string>): URLSearchParams {
  const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(given);
}

/** The query for the api. `nowMs` is the end of a span, in ms since 1970. */
export function listQueryOf<Status extends string>(
  { to, status, ...times }: ListFilter<Status>,
  nowMs: number,
): { to?: string; status?: Status; from?: string; until?: string } {
  return {
    ...(to === null ? {} : { to }),
    ...(status === null ? {} : { status }),
    ...rangeOf(times, nowMs),
  };
}

/** The number of conditions. The two ends of a range are one. */
export function countOf({ to, status, span, from, until }: ListFilter<string>): number {
  return [to, status, span ?? from ?? until].filter((value) => value !== null).length;
}
