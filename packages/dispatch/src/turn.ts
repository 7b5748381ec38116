import { randomUUID } from 'node:crypto';
import { type Claimed, claimMessages, type ClaimRequest, failRemoved, takeSlots } from '@notify/db';
import { reached } from '@notify/runtime';
import { openConnection } from './connection.ts';
import type { DispatchDeps } from './deps.ts';
import { dispatch } from './dispatch.ts';
import { giveBack } from './give-back.ts';
import { leases } from './leases.ts';

/** A turn goes on while there is work, but not longer than this, nor over more messages, while others wait. */
const turnMs = 100;
const turnMessages = 50;
const removedAtOnce = 500;

/** What a turn keeps in mind while it runs. */
interface Turn {
  readonly accountId: string;
  /** Asks it to end soon. */
  readonly signal: AbortSignal;
  readonly beganAt: number;
  readonly underWay: Set<Promise<void>>;
  readonly leaseMs: ClaimRequest['leaseMs'];
  maxInFlight: number;
  claimed: number;
  singlesSinceBulk: number;
}

/**
 * One turn of an account: claims what is due, sends it with as many calls at once as its provider takes, and ends when
 * nothing is due or others wait. What it does not get to is found by the wake that follows every turn.
 */
export async function dispatchTurn(
  accountId: string,
  deps: DispatchDeps,
  signal: AbortSignal,
): Promise<void> {
  const turn = beginTurn(accountId, deps, signal);
  try {
    while (goesOn(turn, deps)) {
      const mayBeMore = await claimAndStart(turn, deps);
      if (!mayBeMore) break;
      await untilSlotsAreFree(turn);
    }
  } finally {
    await Promise.all(turn.underWay);
  }
  if (turn.claimed === 0) await failWhatWasRemoved(accountId, deps);
}

function beginTurn(accountId: string, deps: DispatchDeps, signal: AbortSignal): Turn {
  return {
    accountId,
    signal,
    beganAt: performance.now(),
    underWay: new Set(),
    leaseMs: leases(deps.adapters),
    maxInFlight: deps.slotsOf.get(accountId) ?? 1,
    claimed: 0,
    singlesSinceBulk: 0,
  };
}

function goesOn(turn: Turn, deps: DispatchDeps): boolean {
  if (turn.signal.aborted) return false;
  const hadItsShare = performance.now() - turn.beganAt >= turnMs || turn.claimed >= turnMessages;
  return !(hadItsShare && deps.othersWait());
}

/** Takes permits first and then as many messages, so that every claimed one is called at once. */
async function claimAndStart(turn: Turn, deps: DispatchDeps): Promise<boolean> {
  const permits = await deps.calls.takeSome(turn.maxInFlight - turn.underWay.size);
  if (turn.signal.aborted) {
    for (const release of permits) release();
    return false;
  }
  const claimedAt = performance.now();
  let claims: Claimed[] = [];
  let ready: Claimed[] = [];
  try {
    claims = await claim(turn, deps, permits.length);
    ready = await admit(claims, deps);
  } finally {
    for (const release of permits.slice(ready.length)) release();
  }
  ready.forEach((claimed, index) => start(turn, deps, claimed, claimedAt, permits[index]!));
  return claims.length === permits.length;
}

async function claim(turn: Turn, deps: DispatchDeps, limit: number): Promise<Claimed[]> {
  const claims = await claimMessages(deps.db, {
    accountId: turn.accountId,
    lane: deps.lane,
    limit,
    holder: randomUUID(),
    leaseMs: turn.leaseMs,
    singlesSinceBulk: turn.singlesSinceBulk,
  });
  if (claims.length > 0) reached('dispatch-claimed');
  turn.claimed += claims.length;
  for (const { bulk } of claims) turn.singlesSinceBulk = bulk ? 0 : Math.min(4, turn.singlesSinceBulk + 1);
  const adapter = deps.adapters.get(claims[0]?.account.provider ?? '');
  if (adapter) {
    turn.maxInFlight = adapter.capabilities.maxInFlight;
    deps.slotsOf.set(turn.accountId, turn.maxInFlight);
  }
  return claims;
}

/** Leaves out, and gives back, what has to wait. Where that cannot be told, all is given back that was not yet called. */
async function admit(claims: Claimed[], deps: DispatchDeps): Promise<Claimed[]> {
  if (claims.length === 0) return claims;
  try {
    const inPace = await keepRecipientPace(claims, deps);
    return deps.admit === undefined ? inPace : await deps.admit(inPace);
  } catch (error) {
    await giveBack(
      claims.filter((claimed) => claimed.state === 'call'),
      deps,
    );
    throw error;
  }
}

/** Leaves out, and gives back, what would come too soon after another message to the same recipient. */
async function keepRecipientPace(claims: Claimed[], deps: DispatchDeps): Promise<Claimed[]> {
  const connection = openConnection(claims[0]!.account, deps);
  if (connection.kind === 'broken') return claims;
  const pace = connection.adapter.pace?.(connection.settings);
  if (pace?.recipientIntervalMs === undefined) return claims;
  return takeSlots(deps.db, claims, pace.recipientIntervalMs);
}

function start(
  turn: Turn,
  deps: DispatchDeps,
  claimed: Claimed,
  claimedAt: number,
  release: () => void,
): void {
  const done = dispatch({ claimed, claimedAt, release, stopping: turn.signal }, deps)
    .catch((error: unknown) => {
      // Nothing of the attempt is recorded; its lease ends by itself, and that tells.
      deps.log.error({ err: error, messageId: claimed.messageId }, 'attempt not settled');
    })
    .finally(() => {
      release();
      turn.underWay.delete(done);
    });
  turn.underWay.add(done);
}

/** Waits for half of the slots, so that a claim is worth its round trip. */
async function untilSlotsAreFree(turn: Turn): Promise<void> {
  while (turn.underWay.size > turn.maxInFlight / 2) await Promise.race(turn.underWay);
}

async function failWhatWasRemoved(accountId: string, deps: DispatchDeps): Promise<void> {
  for (;;) {
    const { count, webhooks } = await failRemoved(deps.db, accountId, removedAtOnce);
    if (count === 0) return;
    deps.wakeWebhooks(webhooks);
  }
}
