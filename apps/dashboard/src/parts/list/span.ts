/** How far back a list goes, by its word in the address. */
export const spans = [
  { span: '1h', label: 'Last hour', hours: 1 },
  { span: '24h', label: 'Last 24 hours', hours: 24 },
  { span: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { span: '30d', label: 'Last 30 days', hours: 30 * 24 },
] as const;
export type Span = (typeof spans)[number]['span'];

/** Two points in time (ISO 8601, in UTC), each optional. The second is not a part of the range. */
export interface Range {
  readonly from: string | null;
  readonly until: string | null;
}

/** The times of a list: a span that ends now, or a range. */
export interface Times extends Range {
  readonly span: Span | null;
}

/** Reads times from the address. A span takes precedence over a range, and unknown words are ignored. */
export function readTimes(search: URLSearchParams): Times {
  const span = spans.find((one) => one.span === search.get('span'))?.span ?? null;
  return span === null
    ? { span, from: time(search, 'from'), until: time(search, 'until') }
    : { span, from: null, until: null };
}

function time(search: URLSearchParams, name: string): string | null {
  const at = new Date(search.get(name) ?? '');
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

/** The range of a query for the api. `nowMs` is the end of a span, in ms since 1970. */
export function rangeOf({ span, from, until }: Times, nowMs: number): { from?: string; until?: string } {
  const hours = spans.find((one) => one.span === span)?.hours;
  const since = hours === undefined ? from : new Date(nowMs - hours * 3_600_000).toISOString();
  return { ...(since === null ? {} : { from: since }), ...(until === null ? {} : { until }) };
}

/** Whether a range ends before it begins. */
export function isReversed({ from, until }: Range): boolean {
  return from !== null && until !== null && from >= until;
}
