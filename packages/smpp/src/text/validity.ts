const secondMs = 1_000;
/** The relative format counts months and years, whose length nobody defines. Only days are written. */
const mostMs = 31 * 86_400_000 - secondMs;

/**
 * `validity_period` in the relative format `YYMMDDhhmmss000R` (SMPP 3.4, 7.1.1.2), rounded down so that the SMSC gives up before the
 * message expires here, but at least a second. At most one second less than 31 days.
 */
export function validityPeriod(lifetimeMs: number): string {
  const seconds = Math.floor(Math.min(Math.max(lifetimeMs, secondMs), mostMs) / secondMs);
  const parts = [Math.floor(seconds / 86_400), hours(seconds), minutes(seconds), seconds % 60];
  return `0000${parts.map((part) => String(part).padStart(2, '0')).join('')}000R`;
}

function hours(seconds: number): number {
  return Math.floor(seconds / 3_600) % 24;
}

function minutes(seconds: number): number {
  return Math.floor(seconds / 60) % 60;
}
