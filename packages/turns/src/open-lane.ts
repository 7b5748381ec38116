import type { TurnWorkersOptions } from '@notify/queue';
import { type LaneTurns, openLaneTurns } from './lane-turns.ts';
import type { NextTurn, TurnLog } from './partition-turns.ts';
import type { Permits } from './permits.ts';
import { takeTurn, type TurnWork } from './turn.ts';

/** One kind of turns in one lane. */
export interface LaneOptions<Claim> extends TurnWorkersOptions {
  /** Permits for the claims in work, shared by all turns of the lane in this process. */
  readonly permits: Permits;
  /** The work of a turn of `id`, asked when the turn begins. Null when this process must leave `id` alone. */
  work(id: string): TurnWork<Claim> | null | Promise<TurnWork<Claim> | null>;
  /** When `id` is due next; null when nothing waits. */
  nextDue(id: string): Promise<NextTurn | null>;
  readonly log: TurnLog;
}

/**
 * Opens one lane of one kind of turns, such as the fast lane of dispatch. It takes the turns of its added partitions,
 * from wake to next wake. Each lane has its own slots and permits, so slow accounts delay only each other.
 */
export function openLane<Claim>(options: LaneOptions<Claim>): LaneTurns {
  const { permits } = options;
  return openLaneTurns({
    ...options,
    async turn(context) {
      const work = await options.work(context.id);
      if (work !== null) await takeTurn(work, permits, context);
    },
    ranDry: (id) => permits.ranDry(id),
  });
}
