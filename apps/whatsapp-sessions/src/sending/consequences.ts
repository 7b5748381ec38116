import type { SendRequest, WhatsappWebSettings } from '@notify/channels';
import { contactKey, type Outcome, type Random } from '@notify/core';
import { type Db, whenDatabaseIsBack } from '@notify/db/connection';
import { delayAccount, markRefused, markTaken, notePushback, saveKnownAs } from '@notify/db/whatsapp';
import type { Log } from '@notify/runtime';
import { accountRestricted } from './ack.ts';
import { paceMs } from './care.ts';

/** The dependencies of consequences. */
export interface ConsequenceDeps {
  readonly db: Db;
  readonly log: Log;
  readonly accountId: string;
  readonly settings: WhatsappWebSettings;
  readonly random: Random;
  /** Stops messages to new contacts after a 463. */
  readonly restrict: () => Promise<void>;
}

const longestHoldMs = 3_600_000;
/** The longest hold for an error, as a multiple of its first. */
const holdsGrowTo = 120;

/**
 * Records the effect of an attempt's outcome on its contact and on the account's pace, before the next message may go.
 * Returns the outcome; the hold of a throttled one grows with those before it. A failed record is logged, and the
 * outcome stands.
 */
export async function drawConsequences(
  outcome: Outcome,
  request: SendRequest,
  deps: ConsequenceDeps,
): Promise<Outcome> {
  const { db, accountId, settings, random } = deps;
  const recipient = contactKey('whatsapp', request.to);
  let final = outcome;
  let pushbacks = 0;
  if (outcome.kind === 'accepted')
    pushbacks = (await record(deps, () => markTaken(db, accountId, recipient))) ?? 0;
  const knownAs =
    outcome.kind === 'accepted' ? contactKey('whatsapp', outcome.address?.known ?? request.to) : recipient;
  if (knownAs !== recipient) await record(deps, () => saveKnownAs(db, accountId, recipient, knownAs));
  if (outcome.kind === 'rejected' && outcome.providerCode === accountRestricted) {
    await record(deps, () => markRefused(db, accountId, recipient));
    await record(deps, () => deps.restrict());
  }
  if (outcome.kind === 'throttled') {
    const times = (await record(deps, () => notePushback(db, accountId))) ?? 1;
    final = { ...outcome, afterMs: grownMs(outcome.afterMs, times, random) };
  }
  // A pause ends with the connection that caused it. This hold lasts longer.
  const delayMs = final.kind === 'throttled' ? final.afterMs : paceMs(settings, pushbacks, random);
  if (delayMs > 0) await record(deps, () => delayAccount(db, accountId, delayMs));
  return final;
}

function grownMs(firstMs: number, times: number, random: Random): number {
  const longestMs = Math.min(longestHoldMs, firstMs * holdsGrowTo);
  return Math.round(Math.min(longestMs, firstMs * 2 ** (times - 1) * (1 + random() / 5)));
}

/** The result of the write; null if it failed. */
async function record<T>({ log, accountId }: ConsequenceDeps, write: () => Promise<T>): Promise<T | null> {
  try {
    return await whenDatabaseIsBack(write, (error) => log.tell('answer-waits', { err: error, accountId }));
  } catch (error) {
    log.tell('answer-not-recorded', { err: error, accountId });
    return null;
  }
}
