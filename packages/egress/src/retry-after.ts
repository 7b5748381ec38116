/**
 * The wait of a `Retry-After` header in ms from `nowMs`: seconds or an HTTP date (RFC 9110, section 10.2.3). Never
 * negative. Null if the header is neither.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? null : Math.max(0, waitMs);
}
