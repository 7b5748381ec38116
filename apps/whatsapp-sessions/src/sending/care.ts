import { careOf, type WhatsappWebSettings } from '@notify/channels';
import { contactKey, type Random } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type Claimed, releaseMessages } from '@notify/db/dispatch';
import { contactWait, postpone } from '@notify/db/whatsapp';
import { openAccount } from '@notify/dispatch';
import type { Secrets } from '@notify/runtime';

export interface CareDeps {
  readonly db: Db;
  /** Sealed with the master key. */
  readonly secrets: Secrets;
  /** Whether the account's connection is open. */
  readonly isOpen: () => boolean;
}

/** How long an account without a connection rests, in ms. By then it is paused, or connected again. */
const reconnectMs = 1_000;

/**
 * Returns the claimed messages that may be sent now. The others are released without using up an attempt: all messages
 * if the connection is closed, first messages beyond the day's limit of new contacts, and messages to a contact that
 * WhatsApp has refused.
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
  const care = careOf(openAccount({ secrets }, account).settings as WhatsappWebSettings);
  const recipient = contactKey('whatsapp', claimed.to);
  const rules = { perDay: care.newContactsPerDay, warmUpDays: care.warmUpDays };
  const wait = await contactWait(db, account.id, recipient, rules);
  if (wait === null) return true;
  await postpone(db, claimed, wait);
  return false;
}

/** The longest extra wait between two messages, in ms. */
const slowestMs = 60_000;

/**
 * The wait before the account's next message, in ms. It is random within the bounds of the settings. While the account
 * recovers from throttling (`pushbacks` steps left), 1 s, 2 s, 4 s … are added.
 */
export function paceMs(settings: WhatsappWebSettings, pushbacks: number, random: Random): number {
  const { minIntervalMs, maxIntervalMs } = careOf(settings);
  const slowerMs = pushbacks === 0 ? 0 : Math.min(slowestMs, 1_000 * 2 ** (pushbacks - 1));
  return minIntervalMs + random() * (maxIntervalMs - minIntervalMs) + slowerMs;
}
