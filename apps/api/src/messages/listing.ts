import { formatId, type IdPrefix, parseId } from '@notify/core';
import { searchedTo } from '@notify/db/messages';
import { invalidRequest } from '../problems/problem.ts';

/** The fields of a query that lists by time, page by page. */
interface ListQuery {
  readonly from?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** The part of a list that a query asks for. */
interface Place {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
  /** The bare id of the last item of the page before. */
  readonly before: string | undefined;
  readonly limit: number;
}

const defaultLimit = 50;

/** The part of a list of such ids that a query asks for. Throws a Problem for a cursor or a time that cannot be. */
export function placeOf(prefix: IdPrefix, { from, until, limit = defaultLimit, cursor }: ListQuery): Place {
  const place = {
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
    before: cursor === undefined ? undefined : readCursor(prefix, cursor),
    limit,
  };
  if (place.from !== undefined && place.until !== undefined && place.from >= place.until)
    throw invalidRequest({ at: 'query/until', message: 'must be after from' });
  return place;
}

/** The bare id of the last item of the page before. Throws a Problem if the cursor is none of ours. */
export function readCursor(prefix: IdPrefix, text: string): string {
  const id = parseId(prefix, text);
  if (id === null)
    throw invalidRequest({ at: 'query/cursor', message: 'must be the nextCursor of a previous page' });
  return id;
}

/** How a page tells that its list goes on before this bare id. Null at the end. */
export function nextOf(
  prefix: IdPrefix,
  next: string | null,
): { readonly nextCursor: string | null; readonly searchedTo: string | null } {
  return {
    nextCursor: next === null ? null : formatId(prefix, next),
    searchedTo: next === null ? null : searchedTo(next).toISOString(),
  };
}
