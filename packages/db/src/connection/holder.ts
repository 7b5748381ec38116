import { randomUUID } from 'node:crypto';

/** This process, as the table `processes` and the leases name it. New for every start. */
export const processId = randomUUID();

/** How much of a holder names its process: the first three groups of the UUID. */
const namedBy = 18;

/** A new holder of a lease. It begins as `processId` does, so that a lease shows whose it is. */
export function newHolder(): string {
  return processOfHolder(processId) + randomUUID().slice(namedBy);
}

/** The begin of the id of the process that has a lease. */
export function processOfHolder(holder: string): string {
  return holder.slice(0, namedBy);
}
