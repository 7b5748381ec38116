import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useIsLive } from '../live/hub.ts';
import { type Concerns, useEvents } from '../live/use-events.ts';
import { useSession } from '../session/session-context.ts';
import { calmMs, unchangedAnswers } from './calmly.ts';
import type { AnswerOf, InputArgs, InputOf, OperationKey, ReadKey } from './client.ts';
import { ApiProblem, type Failure } from './failure.ts';
import { keyOf } from './query-key.ts';

/** How often, and when, a read is refreshed. */
export interface ReadOptions<Answer = unknown> {
  /**
   * The interval between reads while the page is visible, in ms. It may depend on the last answer, and grows while the
   * answer stays the same.
   */
  readonly everyMs?: number | false | ((answer: Answer | undefined) => number | false);
  /** Reads again when such an event comes. While the stream of events is open, only that and `whileLiveMs` apply. */
  readonly on?: Concerns;
  /** Whether an answer can change without an event. `everyMs` applies to it while the stream is open, too. */
  readonly untold?: (answer: Answer | undefined) => boolean;
  /** Default true. */
  readonly enabled?: boolean;
  /** Shows the last answer while an answer for a new input is being read. */
  readonly keepPrevious?: boolean;
}

/** The interval between reads of what the stream of events tells about, in ms. */
export const whileLiveMs = 60_000;

/** Reads. `const webhook = useRead('get /v1/webhooks/{id}', { path: { id } })`. */
export function useRead<K extends ReadKey>(
  operation: K,
  ...inputAndOptions: [...InputArgs<K>, options?: ReadOptions<AnswerOf<K>>]
): UseQueryResult<AnswerOf<K>, Failure>;
export function useRead<K extends ReadKey>(
  operation: K,
  input?: InputOf<K>,
  { everyMs = false, on, untold, enabled = true, keepPrevious = false }: ReadOptions<AnswerOf<K>> = {},
): UseQueryResult<AnswerOf<K>, Failure> {
  const { call } = useSession();
  const client = useQueryClient();
  const isTold = useIsLive() && on !== undefined;
  const queryKey = keyOf(operation, input);
  useEvents(enabled && on !== undefined ? on : null, () => {
    void client.invalidateQueries({ queryKey, exact: true });
  });
  return useQuery<AnswerOf<K>, Failure>({
    queryKey,
    queryFn: ({ signal }) => call(operation, input, signal),
    refetchInterval: (query) => {
      const { error } = query.state;
      // What is not there does not come by waiting.
      if (error instanceof ApiProblem && error.status === 404) return false;
      if (isTold && untold?.(query.state.data) !== true) return whileLiveMs;
      const ms = typeof everyMs === 'function' ? everyMs(query.state.data) : everyMs;
      return ms === false ? false : calmMs(ms, unchangedAnswers(query));
    },
    enabled,
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/**
 * Changes something, then reads the operations in `refresh` again. Answers that no view shows now are forgotten, so that
 * no view begins with what was before the change. `mutateAsync` rejects with a `Failure`.
 */
export function useChange<K extends OperationKey>(
  operation: K,
  { refresh = [] }: { readonly refresh?: readonly ReadKey[] } = {},
): UseMutationResult<AnswerOf<K>, Failure, InputOf<K>> {
  const { call } = useSession();
  const client = useQueryClient();
  return useMutation<AnswerOf<K>, Failure, InputOf<K>>({
    mutationFn: (input) => call(operation, input),
    onSettled: () => {
      forgetUnshown(client, refresh);
      return Promise.all(refresh.map((one) => client.invalidateQueries({ queryKey: [one] })));
    },
  });
}

/** Forgets the answers of these operations that no view shows, lists included. */
function forgetUnshown(client: QueryClient, operations: readonly ReadKey[]): void {
  client.removeQueries({
    predicate(query) {
      const [first, second] = query.queryKey;
      return operations.some((one) => one === first || one === second) && query.getObserversCount() === 0;
    },
  });
}
