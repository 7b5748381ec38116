import { coalesceById } from '@notify/batching';
import type { NextTurn } from '@notify/core';
import type { TurnWorkersOptions } from '@notify/queue';
import { laneLabels, turnMeter } from './lane-metrics.ts';
import { type LaneTurns, openLaneTurns } from './lane-turns.ts';
import type { TurnLog } from './partition-turns.ts';
import type { Permits } from './permits.ts';
import { takeTurn, type TurnWork } from './turn.ts';

/** One kind of turns in one lane. */
export interface LaneOptions<Claim> extends TurnWorkersOptions {
  /** Permits for the claims in work, shared by all turns of the lane in this process. */
  readonly permits: Permits;
  /** Permits for files, if the lane has any. They are only shown to operators here. */
  readonly mediaPermits?: Permits;
  /** The work of a turn of `id`, asked when the turn begins. Null when this process must leave `id` alone. */
  work(id: string): TurnWork<Claim> | null | Promise<TurnWork<Claim> | null>;
  /** When these ids are due next, asked for many after their turns. Leaves out ids for which nothing waits. */
  nextDue(ids: readonly string[]): Promise<readonly NextTurn[]>;
  readonly log: TurnLog;
}

/**
 * Opens one lane of one kind of turns, such as the fast lane of dispatch. It takes the turns of its added partitions,
 * from wake to next wake. Each lane has its own slots and permits, so slow accounts delay only each other.
 */
export function openLane<Claim>(options: LaneOptions<Claim>): LaneTurns {
  const { permits } = options;
  const measured = turnMeter(laneLabels(options));
  const lookUp = coalesceById<null, NextTurn>(async (wanted) => {
    const next = await options.nextDue([...wanted.keys()]);
    return new Map(next.map((one) => [one.id, one]));
  });
  return openLaneTurns({
    ...options,
    turn: (context) =>
      measured(async () => {
        const work = await options.work(context.id);
        if (work === null) return 'passed-on';
        return (await takeTurn(work, permits, context)) > 0 ? 'done' : 'empty';
      }),
    nextDue: (id) => lookUp(id, null),
    ranDry: (id) => permits.ranDry(id),
  });
}
