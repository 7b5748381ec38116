import { language } from './time/language.ts';
import { amount } from './time/time-text.ts';

const written = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
/** The largest share that is written as less than all. */
const almostAll = 0.999;

/** A share from 0 to 1: `97.3%`. Only none reads `0%`, and only all reads `100%`. Null, where there is no whole: `–`. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  if (share > 0 && share < 0.01) return `<${written.format(0.01)}`;
  return written.format(share < 1 ? Math.min(almostAll, share) : share);
}

/** A count with its share of a whole: `2 (5%)`. Of nothing, the count alone. */
export function withShare(count: number, whole: number): string {
  return whole === 0 ? amount(count) : `${amount(count)} (${percent(count / whole)})`;
}
