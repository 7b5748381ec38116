import type { Usage } from '../../api/schema.ts';

type Counts = Pick<Usage['totals'], 'accepted' | 'waiting' | 'delivered' | 'failed'>;

/** Messages by state, each counted once. Their sum is the number of accepted messages. */
export interface Standing {
  readonly delivered: number;
  /** Accepted by the provider, which has not confirmed delivery yet, or never does. */
  readonly sent: number;
  readonly waiting: number;
  readonly failed: number;
}

/** Counts each message in its current state. */
export function standingOf({ accepted, waiting, delivered, failed }: Counts): Standing {
  // Figures of one moment add up. A receipt that corrects a failure may come between two of them.
  return { delivered, waiting, failed, sent: Math.max(0, accepted - waiting - delivered - failed) };
}

/** A share: `97.3 %`. Rounds to 100 or 0 only if that is exact. */
export function percent(rate: number | null): string {
  if (rate === null) return '–';
  if (rate > 0.999 && rate < 1) return '99.9 %';
  if (rate < 0.001 && rate > 0) return '0.1 %';
  return `${(rate * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** `1,234`. */
export function amount(count: number): string {
  return count.toLocaleString('en');
}

export const periods = [
  { period: '24h', label: '24 hours', words: 'Last 24 hours', per: 'hour', hours: 24 },
  { period: '30d', label: '30 days', words: 'Last 30 days', per: 'day', hours: 30 * 24 },
] as const;
export type Period = (typeof periods)[number];

/** The name of an hour (in the reader's zone) or of a day (in UTC). */
export function bucketName(startsAt: string, per: Period['per'], zone?: string, locale?: string): string {
  const at = new Date(startsAt);
  if (per === 'day')
    return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at);
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  }).format(at);
}
