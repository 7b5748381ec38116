import type { Usage } from '@notify/sdk';
import { language } from '../../parts/time/language.ts';
import { amount, dateText, timeOfDay } from '../../parts/time/time-text.ts';

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

export const periods = [
  { period: '24h', label: '24 hours', words: 'Last 24 hours', per: 'hour' },
  { period: '30d', label: '30 days', words: 'Last 30 days', per: 'day' },
] as const;
export type Period = (typeof periods)[number];

/** The name of an hour or a day in a zone. A day has its year if that differs from the year of `now`. */
export function bucketName(
  startsAt: string,
  per: Period['per'],
  zone: string,
  now: number,
  locale = language,
): string {
  const date = new Date(startsAt);
  return per === 'day' ? dateText(date, now, zone, locale) : timeOfDay(date, zone, locale);
}

/** How many error codes a list leaves out. */
export function restInWords(count: number): string {
  return count === 1 ? 'And 1 less frequent error code.' : `And ${count} less frequent error codes.`;
}

/** Counts of deliveries, then of failed attempts. Retries are told of only where something was delivered at all. */
export function webhookInWords({
  delivered,
  retried,
  failed,
  attempts,
}: Pick<Usage['webhooks'][number], 'delivered' | 'retried' | 'failed' | 'attempts'>): string {
  const answers = Object.entries(attempts)
    .filter(([kind, count]) => kind !== '2xx' && count > 0)
    .map(([kind, count]) => `${amount(count)} × ${kind === 'none' ? 'no response' : kind}`);
  const parts = [`${amount(delivered)} delivered`];
  if (retried > 0 && delivered > 0) parts.push(`${amount(retried)} needed more than one attempt`);
  if (failed > 0) parts.push(`${amount(failed)} failed`);
  return [...parts, ...answers].join(' · ');
}
