import { careOf, type WhatsappWebSettings } from '@notify/channels';
import type { Random } from '@notify/core';
import {
  type Claimed,
  type Db,
  holdAccount,
  newContactWaitMs,
  postponeNewContacts,
  releaseMessages,
  type SealedAccount,
  settingsPlace,
} from '@notify/db';
import type { Secrets } from '@notify/runtime';

export interface CareDeps {
  readonly db: Db;
  /** Of the master key. */
  readonly secrets: Secrets;
  /** Whether the account's connection is open. */
  readonly isOpen: () => boolean;
}

/** How long an account rests whose connection is gone, in ms; by then it is paused, or connected again. */
const reconnectMs = 1_000;

/**
 * What of claimed messages may go now. The others are given back unburnt: all of them without a connection, first
 * messages to new contacts when those of the day are used up.
 */
export async function admitWithCare(claims: readonly Claimed[], deps: CareDeps): Promise<Claimed[]> {
  const admitted: Claimed[] = [];
  for (const claimed of claims) {
    if (claimed.state !== 'call' || (await mayGo(claimed, deps))) admitted.push(claimed);
  }
  return admitted;
}

async function mayGo(claimed: Claimed, { db, secrets, isOpen }: CareDeps): Promise<boolean> {
  if (!isOpen()) {
    await releaseMessages(db, [claimed], reconnectMs);
    return false;
  }
  const { account } = claimed;
  const opened = secrets.open(account.settings, settingsPlace(account.tenantId, account.id));
  const care = careOf((JSON.parse(opened) as SealedAccount).settings as WhatsappWebSettings);
  const recipient = claimed.to.replace(/\D/g, '');
  const rules = { perDay: care.newContactsPerDay, warmUpDays: care.warmUpDays };
  const waitMs = await newContactWaitMs(db, account.id, recipient, rules);
  if (waitMs > 0) {
    await postponeNewContacts(db, claimed, waitMs);
    return false;
  }
  return true;
}

/** Holds an account's next message back, after one that has gone, for a time drawn as its settings say. */
export async function keepPace(
  db: Db,
  accountId: string,
  settings: WhatsappWebSettings,
  random: Random,
): Promise<void> {
  const { minIntervalMs, maxIntervalMs } = careOf(settings);
  const holdMs = minIntervalMs + random() * (maxIntervalMs - minIntervalMs);
  if (holdMs > 0) await holdAccount(db, accountId, holdMs);
}
