import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, isPassing, Unreachable } from './failure.ts';

const longestWaitMs = 15_000;

/**
 * The cache of one tenant's reads. A read without an answer is retried until the service answers, while a banner says
 * so. A read that the api refuses fails at once.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, error) => error instanceof Unreachable || (isPassing(error) && failures < 5),
        retryDelay: waitMs,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** The wait after that many failures, in ms: the wait the api asks for, or twice as long each time. */
function waitMs(failures: number, error: Error): number {
  const asked = error instanceof ApiProblem ? error.retryAfterSeconds : null;
  return Math.min(longestWaitMs, asked === null ? 1_000 * 2 ** failures : asked * 1_000);
}
