const units = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const;

/** A time beside `now`: `in 12 s (15:04:05Z)`, `3 min ago (15:01:02Z)`. Another day's has its date. */
export function timeBeside(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  const clock = at.toISOString();
  const sameDay = clock.slice(0, 10) === now.toISOString().slice(0, 10);
  const exactly = sameDay ? `${clock.slice(11, 19)}Z` : `${clock.slice(0, 10)} ${clock.slice(11, 19)}Z`;
  return `${ms > 0 ? `in ${span(ms)}` : `${span(-ms)} ago`} (${exactly})`;
}

/** A length of time in its two largest units: `1 h 5 min`, `12 s`, `0.4 s`. */
export function span(ms: number): string {
  if (ms < 950) return `${(ms / 1_000).toFixed(1)} s`;
  const rounded = Math.round(ms / 1_000) * 1_000;
  const index = units.findIndex(([unitMs]) => rounded >= unitMs);
  const [unitMs, unit] = units[index]!;
  const [nextMs, next] = units[index + 1] ?? [0, ''];
  const rest = nextMs === 0 ? 0 : Math.floor((rounded % unitMs) / nextMs);
  return `${Math.floor(rounded / unitMs)} ${unit}${rest > 0 ? ` ${rest} ${next}` : ''}`;
}
