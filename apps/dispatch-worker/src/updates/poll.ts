import { setTimeout as delay } from 'node:timers/promises';
import type { UpdatesFailed } from '@notify/channels';
import { noteSource, type Release } from '@notify/db/updates';
import type { SourceDeps } from './deps.ts';
import { failed, notReceived } from './decide-mode.ts';
import type { Source } from './open.ts';
import { storeRead } from './store.ts';

/** How long the provider waits for an update before it answers without one, in ms. */
const waitMs = 25_000;
/** The same while other accounts wait for a slot of this process. */
const crowdedWaitMs = 1_000;
const longestPauseMs = 60_000;
/** After so many failures in a row the account shows why. */
const shownAfter = 5;
/** Another reader may be our own, of a process that has just died. Its question ends soon. */
const conflictMs = 5_000;
const takenMs = 5 * 60_000;

/**
 * Reads the updates of an account until its claim is over, the process ends or the provider refuses. Each reading tells
 * the provider what has been committed before, so a reader that dies loses nothing. Returns what is known then.
 */
export async function poll(source: Source, note: string | null, deps: SourceDeps): Promise<Release> {
  const { adapter, claim, context } = source;
  const { signal } = context;
  const over = (detail: string | null, afterMs = 0): Release => ({
    mode: 'poll',
    url: null,
    detail,
    afterMs,
  });
  let { next } = claim;
  let shown = claim.mode === 'poll' ? claim.detail : undefined;
  let failures = 0;
  let conflicts = 0;

  async function show(detail: string | null): Promise<void> {
    if (detail !== shown) await noteSource(deps.db, claim, detail);
    shown = detail;
  }

  await show(note);
  while (source.isHeld()) {
    const read = await adapter.updates.read(
      { next, waitMs: deps.isCrowded() ? crowdedWaitMs : waitMs },
      context,
    );
    if (signal.aborted) break;
    switch (read.kind) {
      case 'read': {
        if (!(await storeRead(source, read, next, deps))) return over(note);
        await show(note);
        next = read.next;
        failures = conflicts = 0;
        if (deps.isCrowded()) return over(note);
        break;
      }
      case 'taken':
        conflicts += 1;
        if (read.by === 'webhook') return over(note);
        if (conflicts > 1) return { ...over(read.detail, takenMs), mode: 'off' };
        await pause(conflictMs, signal);
        break;
      case 'failed':
        if (read.refused) return { ...(await failed(source, read, deps)), mode: 'poll' };
        failures += 1;
        if (failures === shownAfter) await show(notReceived(read.detail));
        await pause(pauseMs(read, failures), signal);
    }
  }
  return over(note);
}

/** 1 s, 2 s, 4 s and so on up to a minute, and never less than the provider wants. */
function pauseMs({ afterMs }: UpdatesFailed, failures: number): number {
  return Math.max(afterMs ?? 0, Math.min(longestPauseMs, 1_000 * 2 ** (failures - 1)));
}

/** Ends early when the claim is over. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
