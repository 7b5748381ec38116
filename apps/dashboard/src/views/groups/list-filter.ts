import { everything, type Filter, queryOf, readFilter, writeFilter } from '../messages/list/filter.ts';

/** The filter of a list by recipient, status and time. It is part of the address, as that of messages is. */
export interface ListFilter<Status extends string> extends Pick<Filter, 'to' | 'span' | 'from' | 'until'> {
  readonly status: Status | null;
}

/** Reads a filter from the address. Unknown words are ignored. */
export function readListFilter<Status extends string>(
  search: URLSearchParams,
  statuses: readonly Status[],
): ListFilter<Status> {
  const { to, span, from, until } = readFilter(search);
  const status = statuses.find((one) => one === search.get('status')) ?? null;
  return { to, status, span, from, until };
}

/** Writes a filter as the search part of an address. */
export function writeListFilter({ status, ...others }: ListFilter<string>): URLSearchParams {
  const search = writeFilter({ ...everything, ...others });
  if (status !== null) search.set('status', status);
  return search;
}

/** The query for the api. `nowMs` is the end of a span, in ms since 1970. */
export function listQueryOf<Status extends string>(
  { status, ...others }: ListFilter<Status>,
  nowMs: number,
): { to?: string; status?: Status; from?: string; until?: string } {
  const { to, from, until } = queryOf({ ...everything, ...others }, nowMs);
  return {
    ...(to === undefined ? {} : { to }),
    ...(status === null ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
}

/** Whether it leaves anything out. */
export function isFiltered(filter: ListFilter<string>): boolean {
  return Object.values(filter).some((value) => value !== null);
}
