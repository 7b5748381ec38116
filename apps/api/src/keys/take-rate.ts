import type { ApiDeps } from '../deps.ts';
import { Problem } from '../http/problem.ts';

/**
 * Counts one request of a key, or of a tenant that sends with its session, against `limit` per minute, and says in
 * headers what is left. Throws `rate-limited` when nothing is.
 */
export async function takeRate(
  { keyRates }: Pick<ApiDeps, 'keyRates'>,
  id: string,
  limit: number,
  setHeader: (name: string, value: string) => void,
): Promise<void> {
  const rate = await keyRates.take(id, limit);
  const resetSeconds = Math.max(1, Math.ceil(rate.resetMs / 1000));
  setHeader('RateLimit-Limit', String(limit));
  setHeader('RateLimit-Remaining', String(rate.remaining));
  setHeader('RateLimit-Reset', String(resetSeconds));
  if (!rate.allowed) throw new Problem('rate-limited', { retryAfterSeconds: resetSeconds });
}
