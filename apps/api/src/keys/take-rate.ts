import { Problem } from '../problems/problem.ts';
import type { KeyRates } from './key-rates.ts';

/**
 * Counts one request against `limit` per minute and writes the remainder into headers. `id` is a key, or a tenant that
 * sends with its session. Throws `rate-limited` if the limit is used up.
 */
export async function takeRate(
  { keyRates }: { keyRates: KeyRates },
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

/** Counts against `limit` per minute. Throws `rate-limited` if that is too many, with `detail` for the caller. */
export async function requireRate(
  rates: KeyRates,
  id: string,
  limit: number,
  { count = 1, detail }: { readonly count?: number; readonly detail?: string } = {},
): Promise<void> {
  const { allowed, resetMs } = await rates.take(id, limit, count);
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000));
  throw new Problem('rate-limited', { retryAfterSeconds, ...(detail === undefined ? {} : { detail }) });
}
