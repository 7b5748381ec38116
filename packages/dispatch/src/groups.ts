import { type Adapter, mayReport } from '@notify/channels';
import type { Channel, Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { dueGroups, type Moved, moveGroupOn, type MoveTerms, putOffGroup } from '@notify/db/groups';
import { applyReceipts } from '@notify/db/receipts';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';
import { metrics, traces } from '@notify/telemetry';
import type { TurnWork } from '@notify/turns';
import { countReached } from './message-metrics.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

/** Wakes the tenants with groups to move, without waiting for the queue. A failure is only a delay. */
export type WakeGroups = (tenants: readonly Wake[]) => void;

/** Leaves a wake that fails to the sweeper. */
export function createGroupWaker(waker: Waker, log: Log): WakeGroups {
  return (tenants) => {
    if (tenants.length === 0) return;
    waker.wakeMany('groups', tenants).catch((error: unknown) => log.tell('wake-left', { err: error }));
  };
}

export interface GroupsDeps {
  readonly db: Db;
  readonly log: Log;
  readonly waker: Waker;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** The base of our callback URLs; null when there is none. */
  readonly publicUrl: string | null;
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
}

/** The most groups of a tenant that one turn moves at once. */
const atOnce = 8;
/** After this time, in ms, a group is looked at again that could not be moved. */
const putOffMs = 5_000;

/** One turn of a tenant's groups: looks at those that are due, and moves each in its own transaction. */
export function groupsWork(tenantId: string, deps: GroupsDeps): TurnWork<string> {
  const moving = new Set<string>();
  return {
    maxInFlight: () => atOnce,
    claim: async ({ limit }) => {
      const due = await dueGroups(deps.db, tenantId, limit, [...moving]);
      for (const id of due) moving.add(id);
      return due;
    },
    finish: (groupId) =>
      move(groupId, deps)
        .catch((error: unknown) => putOff(groupId, error, deps))
        .finally(() => moving.delete(groupId)),
  };
}

async function move(groupId: string, deps: GroupsDeps): Promise<void> {
  const terms: MoveTerms = {
    reports: (provider, channel) => reports(provider, channel, deps),
    traced: traces.enabled,
  };
  reached('group-moving');
  const moved = await moveGroupOn(deps.db, groupId, terms);
  if (moved === null) return;
  reached('group-moved');
  tell(moved, deps);
  if (moved.unread === null) return;
  const { ids, external } = moved.unread;
  await apply({ kind: 'ids', ids }, deps);
  if (external.length > 0) await apply({ kind: 'external', messages: external }, deps);
}

/** Wakes what has new work since a move, and counts it. */
function tell({ status, isNew, accounts, webhooks, reached: statuses }: Moved, deps: GroupsDeps): void {
  countReached(statuses);
  if (isNew && status !== 'pending') metrics.groups.inc({ status });
  deps.wakeWebhooks(webhooks);
  deps.waker
    .wakeMany('dispatch', accounts)
    .catch((error: unknown) => deps.log.tell('wake-left', { err: error }));
}

/** Applies receipts that a group waits for. What they change calls for the next look at it. */
async function apply(
  scope: Parameters<typeof applyReceipts>[1],
  { db, wakeWebhooks, wakeGroups }: GroupsDeps,
): Promise<void> {
  const { applied, reached: statuses, webhooks, groups } = await applyReceipts(db, scope, traces.enabled);
  if (applied > 0) metrics.receipts.inc({ result: 'applied' }, applied);
  countReached(statuses);
  wakeWebhooks(webhooks);
  wakeGroups(groups);
}

/** Whether a provider ever reports a delivery on the channel. */
function reports(provider: string, channel: Channel, { adapters, publicUrl }: GroupsDeps): boolean {
  const capabilities = adapters.get(provider)?.capabilities;
  return capabilities === undefined || mayReport(capabilities, channel, publicUrl !== null);
}

/** A move that fails is rolled back. So that it does not fail again at once, it is put off. */
async function putOff(groupId: string, error: unknown, { db, log }: GroupsDeps): Promise<void> {
  metrics.groupLooksFailed.inc();
  log.tell('group-not-moved', { err: error, groupId });
  await putOffGroup(db, groupId, putOffMs).catch(() => undefined);
}
