import { setTimeout as delay } from 'node:timers/promises';
import { type Told, tellWithinMs } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { endTellRequest, type NewTellRequest, readTellResult, requestTell } from '@notify/db/whatsapp';

export interface RelayTellOptions {
  /** Ends the waiting; then nobody is told any more, unless the process has begun to. */
  readonly signal: AbortSignal;
  /** How long to wait, in ms. Default: `tellWithinMs`. */
  readonly withinMs?: number;
}

/** The waits between two looks for the result, in ms. The process itself looks every 200 ms. */
const pauseMs = 50;

/**
 * Has the process that holds an account's linked device tell a person something, through the database. Nothing is told
 * after `withinMs`, and nothing is left behind.
 */
export async function relayTell(
  db: Db,
  request: NewTellRequest,
  { signal, withinMs = tellWithinMs }: RelayTellOptions,
): Promise<Told> {
  const id = await requestTell(db, request, withinMs);
  if (id === null) return { delivered: false, reason: 'unavailable' };
  const ended = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  try {
    while (!ended.aborted) {
      const result = await readTellResult(db, id);
      if (result !== null)
        return result === 'delivered' ? { delivered: true } : { delivered: false, reason: result };
      await delay(pauseMs, undefined, { signal: ended }).catch(() => undefined);
    }
    return { delivered: false, reason: 'timeout' };
  } finally {
    // What cannot be removed now is swept later.
    await endTellRequest(db, id).catch(() => undefined);
  }
}
