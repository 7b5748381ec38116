import type { Lane } from '@notify/core';
import { nextDue } from '@notify/db/dispatch';
import { createClaimer, type DispatchDeps, dispatchWork } from '@notify/dispatch';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { createPermits, type LaneTurns, openLane } from '@notify/turns';

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
  const opened = openLane({
    ...queue,
    kind: 'dispatch',
    lane,
    slots: limits.turnSlots,
    permits: createPermits(limits.maxCallsInFlight),
    work: (id) => dispatchWork(id, deps),
    nextDue: (ids) => nextDue(deps.db, ids),
    log: deps.log,
  });
  opened.addAll();
  return opened;
}
