import { amount } from '../time/time-text.ts';

/** How much of a list is shown. How long it is in all is known only at its end: `50 messages so far`, `73 messages`. */
export function shownInWords(count: number, isWhole: boolean, what: string, plural = `${what}s`): string {
  const counted = `${amount(count)} ${count === 1 ? what : plural}`;
  return isWhole ? counted : `${counted} so far`;
}
