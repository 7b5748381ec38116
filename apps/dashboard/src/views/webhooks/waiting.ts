import { amount } from '../../parts/time/time-text.ts';

/** The api counts up to this number. */
const countedUpTo = 1_000;

/** The number of waiting deliveries: "nothing", "3 deliveries", "1,000 or more". */
export function waitingInWords(waiting: number): string {
  if (waiting === 0) return 'None';
  if (waiting >= countedUpTo) return `${amount(countedUpTo)} or more`;
  return waiting === 1 ? '1 delivery' : `${amount(waiting)} deliveries`;
}
