import { coalesceById } from '@notify/batching';
import type { Lane } from '@notify/core';
import { countDue, nextDue } from '@notify/db/dispatch';
import { nextGroups } from '@notify/db/groups';
import {
  createClaimer,
  type DispatchDeps,
  dispatchWork,
  type GroupsDeps,
  groupsWork,
} from '@notify/dispatch';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { createPermits, type LaneTurns, openLane, quantum } from '@notify/turns';

export interface LaneOptions extends Omit<
  DispatchDeps,
  'claim' | 'mediaInFlight' | 'maxInFlightOf' | 'random'
> {
  readonly queue: WakerOptions;
  readonly limits: Pick<Settings, 'maxCallsInFlight' | 'maxMediaInFlight' | 'turnSlots'>;
}

/** Takes the turns of channel accounts in one lane. */
export function openDispatchLane(lane: Lane, { queue, limits, ...shared }: LaneOptions): LaneTurns {
  const deps: DispatchDeps = {
    ...shared,
    claim: createClaimer(shared.db, lane, shared.adapters),
    mediaInFlight: createPermits(limits.maxMediaInFlight),
    maxInFlightOf: new Map(),
    random: Math.random,
  };
  const count = coalesceById<null, number>((wanted) => countDue(shared.db, [...wanted.keys()], quantum));
  const opened = openLane({
    ...queue,
    kind: 'dispatch',
    lane,
    slots: limits.turnSlots,
    permits: createPermits(limits.maxCallsInFlight, {
      waitingFor: async (id) => (await count(id, null)) ?? 0,
    }),
    mediaPermits: deps.mediaInFlight,
    work: (id) => dispatchWork(id, deps),
    nextDue: (ids) => nextDue(deps.db, ids),
    log: deps.log,
  });
  opened.addAll();
  return opened;
}

export interface GroupsLaneOptions extends GroupsDeps {
  readonly queue: WakerOptions;
  readonly limits: Pick<Settings, 'turnSlots'>;
}

/** Groups that are moved at once in this process. Each takes a connection for some milliseconds. */
const movesAtOnce = 8;

/** Takes the turns of tenants with groups to move. */
export function openGroupsLane({ queue, limits, ...deps }: GroupsLaneOptions): LaneTurns {
  const opened = openLane({
    ...queue,
    kind: 'groups',
    lane: 'fast',
    slots: limits.turnSlots,
    permits: createPermits(movesAtOnce),
    work: (id) => groupsWork(id, deps),
    nextDue: (ids) => nextGroups(deps.db, ids),
    log: deps.log,
  });
  opened.addAll();
  return opened;
}
