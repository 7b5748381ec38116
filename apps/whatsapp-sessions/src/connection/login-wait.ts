import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { loginStanding } from '@notify/db/whatsapp';

/** The result of a wait for the next login. */
export interface LoginWait {
  /** Refused logins in a row that led to a hold. */
  readonly refusals: number;
  readonly wasHeld: boolean;
}

/** During a hold the row is read again this often, in ms, because no timer runs for as long as a ban can last. */
const readAgainMs = 3_600_000;

/** Waits until the hold on the device's logins ends, or `signal` aborts. Calls `onHeld` before the wait begins. */
export async function untilLogin(
  db: Db,
  accountId: string,
  signal: AbortSignal,
  onHeld: () => void,
): Promise<LoginWait> {
  for (let wasHeld = false; ; wasHeld = true) {
    const { waitMs, refusals } = await loginStanding(db, accountId);
    if (waitMs === 0 || signal.aborted) return { refusals, wasHeld };
    onHeld();
    await delay(Math.min(waitMs, readAgainMs), undefined, { signal }).catch(() => undefined);
  }
}
