import { isOwnedLane, type Lane, type OwnedLane } from '@notify/core';
import type { TurnKind } from '@notify/queue';
import { metrics } from '@notify/telemetry';
import type { Permits } from './permits.ts';

/** The labels of a lane's metrics. */
export interface LaneLabels {
  readonly kind: TurnKind | OwnedLane;
  readonly lane: 'fast' | 'slow';
}

/** An owned lane counts as its own kind, which has only a fast lane. */
export function laneLabels({ kind, lane }: { readonly kind: TurnKind; readonly lane: Lane }): LaneLabels {
  return isOwnedLane(lane) ? { kind: lane, lane: 'fast' } : { kind, lane };
}

/** How a turn ended. `passed-on`: this process must leave its id to another one. */
export type TurnEnd = 'done' | 'empty' | 'passed-on' | 'failed';

/** Returns what counts and times the turns of a lane. */
export function turnMeter(labels: LaneLabels): (turn: () => Promise<TurnEnd>) => Promise<void> {
  const { kind, lane } = labels;
  const duration = metrics.turns.duration.labels(kind, lane);
  const ended = (end: TurnEnd): void => metrics.turns.ended.inc({ kind, lane, end });
  return async (turn) => {
    const beganAt = performance.now();
    try {
      ended(await turn());
    } catch (error) {
      ended('failed');
      throw error;
    } finally {
      duration.observe((performance.now() - beganAt) / 1_000);
    }
  };
}

/** Shows the running turns and the slots of a lane at each scrape. Call the result when the lane is closed. */
export function showTurns(labels: LaneLabels, running: () => number, slots: () => number): () => void {
  const ends = [metrics.turns.running.read(labels, running), metrics.turns.slots.read(labels, slots)];
  return () => ends.forEach((end) => end());
}

/** Shows at each scrape for how long the store has answered no fetch. Call the result when the lane is closed. */
export function showFetchAge(labels: LaneLabels, silentMs: () => number): () => void {
  metrics.turns.replaced.inc(labels, 0);
  return metrics.turns.fetchAge.read(labels, () => silentMs() / 1_000);
}

/** Shows permits at each scrape. Call the result when they are no longer used. */
export function showPermits(labels: LaneLabels, of: 'calls' | 'media', permits: Permits): () => void {
  const { limit, inUse, waiting } = metrics.permits;
  const ends = [
    limit.read({ ...labels, of }, () => permits.limit),
    inUse.read({ ...labels, of }, () => permits.inUse),
    waiting.read({ ...labels, of }, () => permits.waiting),
  ];
  return () => ends.forEach((end) => end());
}
