import { setTimeout as wait } from 'node:timers/promises';

const withinMs = 1_000;

/** Waits for the last work of a process, at most 1 s: a database that is away must not hold up the end. Never rejects. */
export async function endOfWork(work: Promise<void>): Promise<void> {
  await Promise.race([work.catch(() => undefined), wait(withinMs, undefined, { ref: false })]);
}
