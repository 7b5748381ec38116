import { accountLanes, type Lane, type Wake } from '@notify/core';
import type { TurnKind, Waker } from '@notify/queue';
import { metrics } from '@notify/telemetry';
import { laneLabels } from './lane-metrics.ts';
import type { TurnLog } from './partition-turns.ts';

export interface OverdueWakesOptions {
  readonly kind: TurnKind;
  readonly waker: Waker;
  readonly log: Pick<TurnLog, 'tell'>;
}

/** Wakes what one sweep has found overdue. Rejects when the queue is away; the next sweep repeats it. */
export type WakeOverdue = (overdue: readonly Wake[]) => Promise<void>;

const lanes: Readonly<Record<TurnKind, readonly Lane[]>> = {
  dispatch: accountLanes,
  webhooks: ['fast', 'slow'],
  groups: ['fast'],
};

/**
 * Makes the wakes of one kind of sweep. An id that was woken by the sweep before and is overdue again is mostly one whose turn
 * waits after others. But a queue that lost some of its keys may still count a turn as waiting that no worker will take, so that every
 * wake is in vain. Only the queue can tell these apart, so it is asked, and frees the ids of such turns before they are woken.
 */
export function createOverdueWakes({ kind, waker, log }: OverdueWakesOptions): WakeOverdue {
  let woken: ReadonlySet<string> = new Set();
  // All are visible from the start, so that the first loss is an increase.
  for (const lane of lanes[kind]) metrics.turns.lost.inc(laneLabels({ kind, lane }), 0);

  return async (overdue) => {
    const again = overdue.filter(({ id }) => woken.has(id));
    woken = new Set();
    const freed = again.length > 0 ? await waker.freeLost(kind, again) : [];
    await waker.wakeMany(kind, overdue);
    woken = new Set(overdue.map(({ id }) => id));
    for (const { lane } of freed) metrics.turns.lost.inc(laneLabels({ kind, lane }));
    if (freed.length > 0) log.tell('lost-turns-woken', { kind, count: freed.length });
  };
}
