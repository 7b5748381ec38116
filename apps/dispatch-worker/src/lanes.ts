import type { Lane } from '@notify/core';
import { countDue, nextDue } from '@notify/db/dispatch';
import { createClaimer, type DispatchDeps, dispatchWork } from '@notify/dispatch';
import type { WakerOptions } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { coalesceById, createPermits, type LaneTurns, openLane, quantum } from '@notify/turns';

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
