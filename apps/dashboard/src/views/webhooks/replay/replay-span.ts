import type { Replay } from '@notify/sdk';
import { amount } from '../../../parts/time/time-text.ts';

/** A predefined span of time to replay. */
interface ReplayChoice {
  readonly label: string;
  readonly ms: number;
}

const hour = 3_600_000;

/** The predefined spans. */
export const replayChoices = [
  { label: 'Last hour', ms: hour },
  { label: 'Last 24 hours', ms: 24 * hour },
  { label: 'Last 3 days', ms: 72 * hour },
  { label: 'Last 7 days', ms: 168 * hour },
] as const satisfies readonly ReplayChoice[];

/** How much a replay that has begun is going to post. */
export function replayWords({ events, eventsComplete }: Pick<Replay, 'events' | 'eventsComplete'>): string {
  if (events === 0 && eventsComplete) return 'Nothing to replay: no event since then was missed.';
  const count = `${eventsComplete ? '' : 'at least '}${amount(events)} ${events === 1 ? 'event' : 'events'}`;
  return `Replaying ${count}.`;
}

/** The finished share of a replay, from 0 to 1. */
export function replayProgress(fromMs: number, reachedMs: number, untilMs: number): number {
  if (untilMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (reachedMs - fromMs) / (untilMs - fromMs)));
}
