import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useSession } from '../session/session-context.ts';
import type { AnswerOf, InputArgs, InputOf, OperationKey, ReadKey } from './client.ts';
import type { Failure } from './failure.ts';

/**
 * The query key of an operation's answer: the operation, then its input. A change invalidates keys by their operation,
 * with any input.
 */
export function keyOf<K extends ReadKey>(operation: K, input?: InputOf<K>): QueryKey {
  return input === undefined ? [operation] : [operation, input];
}

/** How often, and when, a read is refreshed. */
export interface ReadOptions<Answer = unknown> {
  /** The interval between reads while the page is visible, in ms. It may depend on the last answer. */
  readonly everyMs?: number | false | ((answer: Answer | undefined) => number | false);
  /** Default true. */
  readonly enabled?: boolean;
  /** Shows the last answer while an answer for a new input is being read. */
  readonly keepPrevious?: boolean;
}

/** Reads. `const webhook = useRead('get /v1/webhooks/{id}', { path: { id } })`. */
export function useRead<K extends ReadKey>(
  operation: K,
  ...inputAndOptions: [...InputArgs<K>, options?: ReadOptions<AnswerOf<K>>]
): UseQueryResult<AnswerOf<K>, Failure>;
export function useRead<K extends ReadKey>(
  operation: K,
  input?: InputOf<K>,
  { everyMs = false, enabled = true, keepPrevious = false }: ReadOptions<AnswerOf<K>> = {},
): UseQueryResult<AnswerOf<K>, Failure> {
  const { call } = useSession();
  return useQuery<AnswerOf<K>, Failure>({
    queryKey: keyOf(operation, input),
    queryFn: ({ signal }) => call(operation, input, signal),
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) : everyMs,
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Changes something, then reads the operations in `refresh` again. `mutateAsync` rejects with a `Failure`. */
export function useChange<K extends OperationKey>(
  operation: K,
  { refresh = [] }: { readonly refresh?: readonly ReadKey[] } = {},
): UseMutationResult<AnswerOf<K>, Failure, InputOf<K>> {
  const { call } = useSession();
  const client = useQueryClient();
  return useMutation<AnswerOf<K>, Failure, InputOf<K>>({
    mutationFn: (input) => call(operation, input),
    onSettled: () => Promise.all(refresh.map((one) => client.invalidateQueries({ queryKey: [one] }))),
  });
}

/** Operations that answer a page: `{data, nextCursor}`. */
export type PagedKey = {
  [K in ReadKey]: AnswerOf<K> extends { data: unknown[]; nextCursor: string | null } ? K : never;
}[ReadKey];
interface PageOf<Item> {
  readonly data: Item[];
  readonly nextCursor: string | null;
}
type ItemOf<K extends PagedKey> = AnswerOf<K>['data'][number];

/** The pages read so far, as one list. */
export interface Pages<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<unknown>, Failure>;
  /** Undefined until the first page has been read. */
  readonly items: Item[] | undefined;
  /** Null at the end. */
  readonly more: (() => void) | null;
  readonly isLoadingMore: boolean;
}

/** Reads page after page. With `everyMs`, all pages read so far are refreshed together. */
export function usePages<K extends PagedKey>(
  operation: K,
  input: InputOf<K>,
  {
    everyMs = false,
    enabled = true,
  }: Omit<ReadOptions, 'everyMs'> & { readonly everyMs?: number | false } = {},
): Pages<ItemOf<K>> {
  const { call } = useSession();
  type Answer = PageOf<ItemOf<K>>;
  const query = useInfiniteQuery<Answer, Failure, InfiniteData<Answer>, QueryKey, string | null>({
    // A key of its own, because `useRead` stores an answer of another shape for the same input.
    queryKey: [...keyOf(operation, input), 'pages'],
    queryFn: async ({ pageParam, signal }) =>
      // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc does not see that it is
      (await call(operation, withCursor(input, pageParam), signal)) as Answer,
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: everyMs,
    enabled,
  });
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return {
    query,
    items: data?.pages.flatMap((page) => page.data),
    more: hasNextPage ? () => void fetchNextPage() : null,
    isLoadingMore: isFetchingNextPage,
  };
}

function withCursor<K extends PagedKey>(input: InputOf<K>, cursor: string | null): InputOf<K> {
  if (cursor === null) return input;
  const query = 'query' in input && typeof input.query === 'object' ? input.query : {};
  return { ...input, query: { ...query, cursor } };
}
