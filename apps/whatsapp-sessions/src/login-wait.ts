import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { loginStanding } from '@notify/db/whatsapp';

/** How a wait for the next login ended. */
export interface LoginWait {
  /** Refused logins in a row for which logins were held. */
  readonly refusals: number;
  readonly wasHeld: boolean;
}

/** How long logins are held before the row is read again, in ms: no timer runs for as long as a ban can last. */
const readAgainMs = 3_600_000;

/** Waits as long as a device's logins are held, or until `signal` ends it; `onHeld` is told before the wait begins. */
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
