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

/** An instant in the format of a `datetime-local` input, in the reader's zone, to the minute. */
export function toLocalInput(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The instant in a `datetime-local` input, read in the reader's zone; null if it is empty or invalid. */
export function fromLocalInput(text: string): Date | null {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? null : at;
}

/** The finished share of a replay, from 0 to 1. */
export function replayProgress(fromMs: number, reachedMs: number, untilMs: number): number {
  if (untilMs <= fromMs) return 0;
  return Math.min(1, Math.max(0, (reachedMs - fromMs) / (untilMs - fromMs)));
}
