import type { Db } from '@notify/db/connection';
import { renewClaim, type UpdateClaim } from '@notify/db/updates';
import type { Log } from '@notify/runtime';

/** A claim that is renewed until it is closed. */
export interface HeldClaim {
  /** Aborts when the claim is over, or when the process ends. */
  readonly signal: AbortSignal;
  /** Whether the claim still holds. Knows it also in a process that has stalled, before `signal` aborts. */
  isHeld(): boolean;
  close(): Promise<void>;
}

export interface KeepClaimOptions {
  readonly db: Db;
  readonly log: Log;
  readonly leaseMs: number;
  readonly stopping: AbortSignal;
}

/**
 * Renews a claim in the background. It counts as lost at its end by this process's clock, too: if the database cannot be
 * asked, somebody else may have the account by then.
 */
export function keepClaim(claim: UpdateClaim, { db, log, leaseMs, stopping }: KeepClaimOptions): HeldClaim {
  const lost = new AbortController();
  let ends = setTimeout(() => lost.abort(), leaseMs);
  let endsAt = performance.now() + leaseMs;
  let renewing: Promise<void> = Promise.resolve();
  let isRenewing = false;

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    if (!(await renewClaim(db, claim, leaseMs))) return lost.abort();
    clearTimeout(ends);
    endsAt = askedAt + leaseMs;
    if (!isClosed()) ends = setTimeout(() => lost.abort(), endsAt - performance.now());
  }

  const timer = setInterval(() => {
    if (isRenewing) return;
    isRenewing = true;
    renewing = renew()
      .catch((error: unknown) => log.tell('updates-claim-kept', { err: error, accountId: claim.accountId }))
      .finally(() => (isRenewing = false));
  }, leaseMs / 3);
  let closed = false;
  const isClosed = (): boolean => closed;
  const signal = AbortSignal.any([lost.signal, stopping]);
  return {
    signal,
    isHeld: () => !signal.aborted && performance.now() < endsAt,
    async close() {
      closed = true;
      clearInterval(timer);
      clearTimeout(ends);
      await renewing;
    },
  };
}
