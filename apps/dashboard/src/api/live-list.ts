import { hashKey, type QueryKey, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useIsLive } from '../live/hub.ts';
import { type Concerns, useEvents } from '../live/use-events.ts';
import { useSession } from '../session/session-context.ts';
import { calmMs, unchangedAnswers } from './calmly.ts';
import type { AnswerOf, InputOf, ReadKey } from './client.ts';
import type { Failure } from './failure.ts';
import { whileLiveMs } from './hooks.ts';
import { countNewer, type Listed, type PageOf, withNewest, withOlder } from './listed.ts';
import { keyOf } from './query-key.ts';

/** Operations that answer a page: `{data, nextCursor}`. */
export type PagedKey = {
  [K in ReadKey]: AnswerOf<K> extends { data: unknown[]; nextCursor: string | null } ? K : never;
}[ReadKey];
type ItemOf<K extends PagedKey> = AnswerOf<K>['data'][number];

/** How a list is kept up to date. */
export interface LiveOptions<Item> {
  readonly idOf: (item: Item) => string;
  /** What orders the list, if IDs do not. It grows with time. */
  readonly orderOf?: (item: Item) => string;
  /** The interval between reads of the list's beginning, in ms. It grows while nothing changes. */
  readonly everyMs: number | false;
  /** Reads the beginning again when such an event comes. While the stream of events is open, it is rarely read else. */
  readonly on?: Concerns;
  /** The reader is further down, so no row may move. */
  readonly isReading: boolean;
  /** Items that stay even when they no longer match. */
  readonly keeps?: (id: string) => boolean;
  /** Asks for less than the first page: the part of the list that may have changed. */
  readonly part?: Part<Item>;
}

/** The part of a list that may have changed. */
export interface Part<Item> {
  /** Further fields of the query. */
  readonly ask: (items: readonly Item[]) => Readonly<Record<string, unknown>>;
  /** Whether an answer to that contains the item. */
  readonly covers: (item: Item, asked: Readonly<Record<string, unknown>>) => boolean;
}

/** A list that stays up to date without moving while it is read. */
export interface LiveList<Item> {
  /** For `Loaded`. */
  readonly query: {
    readonly data: Listed<Item> | undefined;
    readonly error: Failure | null;
    refetch(): unknown;
  };
  readonly items: readonly Item[];
  /** Reads the next page. Null at the end. */
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
  /** Why the next page could not be read. */
  readonly moreError: Error | null;
  /** The number of newer items that are not shown while the reader is further down. Counts up to one page. */
  readonly newer: number;
}

interface Newest<Item> {
  readonly asked: Readonly<Record<string, unknown>>;
  readonly page: PageOf<Item>;
}

/**
 * Reads a long list page by page. Each page is read once. From then on only the beginning of the list is read again, and
 * of that only the part that may have changed.
 */
export function useLiveList<K extends PagedKey>(
  operation: K,
  input: InputOf<K>,
  { idOf, orderOf, everyMs, on, isReading, keeps = () => false, part }: LiveOptions<ItemOf<K>>,
): LiveList<ItemOf<K>> {
  type Item = ItemOf<K>;
  const { call } = useSession();
  const client = useQueryClient();
  const listKey = listKeyOf(operation, input);
  // The whole first page is the answer that `useRead` has of it.
  const newestKey = part === undefined ? keyOf(operation, input) : [...keyOf(operation, input), 'newest'];
  const isTold = useIsLive() && on !== undefined;
  useEvents(everyMs === false ? null : (on ?? null), () => {
    void client.invalidateQueries({ queryKey: newestKey, exact: true });
  });
  // Written below only. A view that is opened again within minutes begins with it, where the reader left it.
  const list = useQuery<Listed<Item>>({ queryKey: listKey, queryFn: skipToken, staleTime: Infinity });
  const read = async (query: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<PageOf<Item>> =>
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc does not see that it is
    (await call(operation, withQuery(input, query), signal)) as PageOf<Item>;
  const newest = useQuery<PageOf<Item> | Newest<Item>, Failure, Newest<Item>>({
    queryKey: newestKey,
    queryFn: async ({ signal }) => {
      if (part === undefined) return read({}, signal);
      const shown = client.getQueryData<Listed<Item>>(listKey);
      const asked = shown === undefined ? {} : part.ask(shown.items);
      return { asked, page: await read(asked, signal) };
    },
    select: asNewest,
    refetchInterval(query) {
      if (everyMs === false) return false;
      return isTold ? whileLiveMs : calmMs(everyMs, unchangedAnswers(query));
    },
    // The list remembers what it has taken in.
    gcTime: 0,
  });
  const { data } = newest;
  useEffect(() => {
    if (data === undefined) return;
    const { asked, page } = data;
    const covers = (item: Item): boolean => part?.covers(item, asked) ?? true;
    client.setQueryData<Listed<Item>>(listKey, (before) =>
      withNewest(before, page, { idOf, orderOf, covers, isReading, keeps }),
    );
    // The other values are made anew each time, and follow from these.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [client, hashKey(listKey), data, isReading]);
  const older = useOlder(list.data, async (cursor) => {
    const page = await client.query({
      queryKey: [...listKey, cursor],
      queryFn: ({ signal }) => read({ cursor }, signal),
      gcTime: 0,
    });
    client.setQueryData<Listed<Item>>(listKey, (before) => withOlder(before, cursor, page, idOf));
  });
  return {
    query: { data: list.data, error: newest.error, refetch: newest.refetch },
    items: list.data?.items ?? [],
    newer: isReading && data !== undefined ? countNewer(list.data, data.page, orderOf ?? idOf) : 0,
    ...older,
  };
}

function asNewest<Item>(answer: PageOf<Item> | Newest<Item>): Newest<Item> {
  return 'page' in answer ? answer : { asked: {}, page: answer };
}

/** The query key of what was read of a list. */
export function listKeyOf<K extends PagedKey>(operation: K, input: InputOf<K>): QueryKey {
  return ['list', ...keyOf(operation, input)];
}

/** Reads the next page on request. */
function useOlder(
  list: Listed<unknown> | undefined,
  read: (cursor: string) => Promise<void>,
): Pick<LiveList<unknown>, 'more' | 'isLoadingMore' | 'moreError'> {
  const [isLoadingMore, setLoading] = useState(false);
  const [moreError, setError] = useState<Error | null>(null);
  const cursor = list?.cursor ?? null;
  async function more(from: string): Promise<void> {
    setLoading(true);
    setError(null);
    try {
      await read(from);
    } catch (error) {
      setError(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setLoading(false);
    }
  }
  return { more: cursor === null ? null : () => void more(cursor), isLoadingMore, moreError };
}

function withQuery<K extends PagedKey>(
  input: InputOf<K>,
  further: Readonly<Record<string, unknown>>,
): InputOf<K> {
  const query = 'query' in input && typeof input.query === 'object' ? input.query : {};
  return { ...input, query: { ...query, ...further } };
}
