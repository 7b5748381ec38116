import { amount } from '../../parts/time/time-text.ts';

/** How many requests a key may make. */
export function limitInWords(limit: number | null): string {
  return limit === null ? 'Default' : `${amount(limit)} per minute`;
}
