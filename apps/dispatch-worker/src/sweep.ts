import type { Db } from '@notify/db/connection';
import { overdueAccounts } from '@notify/db/dispatch';
import { overdueGroups } from '@notify/db/groups';
import { handOnLateTexts } from '@notify/db/inbound';
import { withSweepLock } from '@notify/db/maintenance';
import { failExpired, moveApproaching } from '@notify/db/messages';
import { endExpired } from '@notify/db/verifications';
import {
  countLateTexts,
  countReached,
  type Receipts,
  traceStored,
  type WakeGroups,
  type WakeWebhooks,
} from '@notify/dispatch';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import { createOverdueWakes, type WakeOverdue } from '@notify/turns';

export interface SweepDeps {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
  readonly receipts: Receipts;
  /** Wake what has lost its wake, by kind. */
  readonly wakeOverdue: { readonly dispatch: WakeOverdue; readonly groups: WakeOverdue };
  /** Whether a turn of the account, or of the tenant's groups, runs in this process. */
  readonly hasTurn: (id: string) => boolean;
}

/** Wakes what sweeps find overdue, for the sweeps of this process. */
export function openOverdueWakes(waker: Waker, log: Log): SweepDeps['wakeOverdue'] {
  return {
    dispatch: createOverdueWakes({ kind: 'dispatch', waker, log }),
    groups: createOverdueWakes({ kind: 'groups', waker, log }),
  };
}

/** Work that has been due for this long, in ms, has lost its wake. */
const overdueMs = 2_000;
const expiredAtOnce = 500;
const expiryRounds = 20;
const movedAtOnce = 1_000;
/** A sweep moves at most 50,000 messages, so it ends in time for its other steps. */
const moveRounds = 50;
/** The pieces of a long SMS arrive within seconds, or never. */
const lateTextMs = 300_000;
const lateTextsAtOnce = 100;

/**
 * Does the work that turns may have missed: wakes accounts and tenants with groups whose wake was lost, applies leftover receipts, fails
 * expired messages, ends expired verifications, and hands on texts of which a piece has not arrived. It also moves scheduled messages that are due soon to
 * where turns find them. If one step fails, the others still run.
 */
export async function sweepDispatch(deps: SweepDeps): Promise<void> {
  await withSweepLock(deps.db, 'dispatch', async () => {
    const done = await Promise.allSettled([
      wakeAccounts(deps),
      wakeTenantsOfGroups(deps),
      moveScheduled(deps),
      deps.receipts.applyDue(),
      failSomeExpired(deps),
      handOnTexts(deps),
      endSomeVerifications(deps),
    ]);
    for (const step of done)
      if (step.status === 'rejected') deps.log.tell('sweep-step-failed', { err: step.reason as unknown });
  });
}

/**
 * Leaves out accounts with a turn in this process, because its end wakes them. Every account with a backlog is overdue,
 * and the wakes of a thousand would delay all others.
 */
async function wakeAccounts({ db, wakeOverdue, hasTurn }: SweepDeps): Promise<void> {
  const overdue = (await overdueAccounts(db, overdueMs)).filter(({ id }) => !hasTurn(id));
  if (overdue.length > 0) reached('sweep-found');
  await wakeOverdue.dispatch(overdue.map((one) => ({ ...one, afterOthers: true })));
}

/** As above: a tenant whose groups move in this process is woken at the end of its turn. */
async function wakeTenantsOfGroups({ db, hasTurn, wakeOverdue }: SweepDeps): Promise<void> {
  const overdue = (await overdueGroups(db, overdueMs)).filter(({ id }) => !hasTurn(id));
  if (overdue.length > 0) reached('sweep-found');
  await wakeOverdue.groups(overdue);
}

/** Moves a bounded number per sweep. The next sweep continues. */
async function moveScheduled({ db, waker }: SweepDeps): Promise<void> {
  for (let round = 0; round < moveRounds; round += 1) {
    const { count, accounts } = await moveApproaching(db, movedAtOnce);
    await waker.wakeMany('dispatch', accounts);
    if (count < movedAtOnce) return;
  }
}

/** Fails a bounded number per sweep. The next sweep continues. */
async function failSomeExpired({ db, wakeWebhooks, wakeGroups }: SweepDeps): Promise<void> {
  for (let round = 0; round < expiryRounds; round += 1) {
    const { count, webhooks, groups, reached: failed } = await failExpired(db, expiredAtOnce, traces.enabled);
    countReached(failed);
    wakeWebhooks(webhooks);
    wakeGroups(groups);
    if (count < expiredAtOnce) return;
  }
}

/** Ends a bounded number per sweep. The next sweep continues. */
async function endSomeVerifications({ db }: SweepDeps): Promise<void> {
  for (let round = 0; round < expiryRounds; round += 1)
    if ((await endExpired(db, expiredAtOnce)) < expiredAtOnce) return;
}

async function handOnTexts({ db, log, wakeWebhooks }: SweepDeps): Promise<void> {
  const beganAt = performance.now();
  const { webhooks, providers, messageIds, failures } = await handOnLateTexts(
    db,
    lateTextMs,
    lateTextsAtOnce,
  );
  countLateTexts(providers);
  const results = messageIds.map((messageId) => ({ kind: 'stored', messageId }) as const);
  traceStored([{ origin: null, results }], beganAt);
  wakeWebhooks(webhooks);
  if (failures.length > 0) log.tell('texts-not-handed-on', { err: failures[0], count: failures.length });
}
