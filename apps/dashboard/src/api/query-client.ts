import { QueryClient } from '@tanstack/react-query';
import { ApiProblem, isPassing, Unreachable } from './failure.ts';

const longestWaitMs = 15_000;

/**
 * What is read, kept for one tenant. A read that nobody answered is tried until somebody does, while a banner says so; one
 * that the api refuses is shown at once.
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

/** How long to wait after so many failures, in ms: what the api asks for, or twice as long each time. */
function waitMs(failures: number, error: Error): number {
  const asked = error instanceof ApiProblem ? error.retryAfterSeconds : null;
  return Math.min(longestWaitMs, asked === null ? 1_000 * 2 ** failures : asked * 1_000);
}
