/** The api counts up to this number. */
const countedUpTo = 1_000;

/** The number of waiting deliveries: "nothing", "3 deliveries", "1,000 or more". */
export function waitingInWords(waiting: number): string {
  if (waiting === 0) return 'None';
  if (waiting >= countedUpTo) return `${countedUpTo.toLocaleString('en')} or more`;
  return waiting === 1 ? '1 delivery' : `${waiting} deliveries`;
}
