import { UsageFailure } from './failures.ts';

const unitsMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The instant that was typed, as ISO 8601: a date with or without a time, or a distance from now in one direction. */
export function instantOf(typed: string, direction: 1 | -1, nowMs: number = Date.now()): string {
  const distance = /^(\d{1,6})([smhd])$/.exec(typed);
  const unitMs = unitsMs[(distance?.[2] ?? 's') as keyof typeof unitsMs];
  const at = distance === null ? readDate(typed) : nowMs + direction * Number(distance[1]) * unitMs;
  if (Number.isFinite(at)) return new Date(at).toISOString();
  throw new UsageFailure(
    'must be a time: 2026-01-31, 2026-01-31T09:30:00Z, or a distance such as 30m, 2h, 7d',
  );
}

function readDate(typed: string): number {
  return /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(typed)
    ? Date.parse(typed)
    : Number.NaN;
}
