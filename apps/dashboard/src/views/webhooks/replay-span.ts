/** A span of time to replay, as a choice. */
interface ReplayChoice {
  readonly label: string;
  readonly ms: number;
}

const hour = 3_600_000;

/** Spans that can be chosen at once. */
export const replayChoices = [
  { label: 'Last hour', ms: hour },
  { label: 'Last 24 hours', ms: 24 * hour },
  { label: 'Last 3 days', ms: 72 * hour },
  { label: 'Last 7 days', ms: 168 * hour },
] as const satisfies readonly ReplayChoice[];

/** What a `datetime-local` input shows for an instant, in the reader's zone, to the minute. */
export function toLocalInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant that a `datetime-local` input holds, read in the reader's zone; null for none. */
export function fromLocalInput(text: string): Date | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at;
}

/** How much of a replay is done, from 0 to 1. */
export function replayProgress(fromMs: number, reachedMs: number, untilMs: number): number {
  if (untilMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (reachedMs - fromMs) / (untilMs - fromMs)));
}
