import { httpDateMs } from './http-date.ts';

/**
 * The wait of a `Retry-After` header in ms from `nowMs`: seconds or an HTTP date (RFC 9110, 10.2.3). Some servers send a decimal,
 * which is rounded up. Never negative. Null if the header is none of these.
 */
export function retryAfterMs(header: string | null | undefined, nowMs: number): number | null {
  const text = header?.replace(/^[ \t]+|[ \t]+$/g, '') ?? '';
  const seconds = /^(\d+)(?:\.(\d+))?$/.exec(text);
  if (seconds !== null) {
    const whole = Number(seconds[1]) + (/[1-9]/.test(seconds[2] ?? '') ? 1 : 0);
    return Math.min(whole * 1_000, Number.MAX_SAFE_INTEGER);
  }
  const at = httpDateMs(text, nowMs);
  return at === null ? null : Math.max(0, at - nowMs);
}
