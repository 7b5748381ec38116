import { createClaimer, createDueLookup, type DispatchDeps, dispatchTurn } from '@notify/dispatch';
import { type Lane, type RunningTurns, runTurns, type TurnOptions } from '@notify/queue';
import { createAllowance, type Settings } from '@notify/runtime';

export interface LaneOptions extends Omit<
  DispatchDeps,
  'claim' | 'calls' | 'mediaInFlight' | 'slotsOf' | 'othersWait' | 'random'
> {
  readonly queue: Pick<TurnOptions, 'redisUrl' | 'databaseUrl' | 'partitions' | 'onError'>;
  readonly limits: Pick<Settings, 'maxCallsInFlight' | 'maxMediaInFlight' | 'turnSlots'>;
}

/** Takes turns of one lane. Each lane has slots and calls of its own, so slow accounts cost only each other. */
export function runLane(lane: Lane, { queue, limits, ...shared }: LaneOptions): RunningTurns {
  const calls = createAllowance(limits.maxCallsInFlight);
  const lookUp = createDueLookup(shared.db);
  const deps: Omit<DispatchDeps, 'othersWait'> = {
    ...shared,
    claim: createClaimer(shared.db, lane, shared.adapters),
    calls,
    mediaInFlight: createAllowance(limits.maxMediaInFlight),
    slotsOf: new Map(),
    random: Math.random,
  };
  return runTurns({
    ...queue,
    kind: 'dispatch',
    lane,
    slots: limits.turnSlots,
    turn: (id, { signal, saturated, settleLater }) =>
      dispatchTurn(id, { ...deps, othersWait: saturated, settleLater }, signal),
    async nextDueMs(id) {
      const next = await lookUp(id);
      if (next === null || next.delayMs > 0) calls.done(id);
      return next;
    },
    log: shared.log,
  });
}
