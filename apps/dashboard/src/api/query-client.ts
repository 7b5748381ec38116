import { QueryClient } from '@tanstack/react-query';
import { isPassing } from './failure.ts';
import { waitMs } from './retry.ts';

/**
 * The cache of one tenant's reads. A read that may succeed later is retried until it does, while a banner says so. A
 * read that the api refuses fails at once.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (_failures, error) => isPassing(error),
        retryDelay: waitMs,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
