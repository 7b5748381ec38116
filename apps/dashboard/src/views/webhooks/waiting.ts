/** The api counts up to here. */
const countedUpTo = 1_000;

/** How many deliveries wait: "nothing", "3 deliveries", "1,000 or more". */
export function waitingInWords(waiting: number): string {
  if (waiting === 0) return 'None';
  if (waiting >= countedUpTo) return `${countedUpTo.toLocaleString('en')} or more`;
  return waiting === 1 ? '1 delivery' : `${waiting} deliveries`;
}
