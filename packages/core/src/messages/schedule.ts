/** How far ahead a message may be scheduled, in days, if messages are kept long enough. */
export const longestScheduleDays = 30;

/** The longest lifetime of a message (7 days) and a day more, in days: messages are kept this long after they are due. */
const keptAfterDueDays = 8;

/** The shortest retention of messages that leaves a day to schedule in, in days. */
export const shortestRetentionDays = keptAfterDueDays + 1;

/** How far ahead a message may be scheduled where messages are kept for `messageRetentionDays`, in days. */
export function scheduleDays(messageRetentionDays: number): number {
  return Math.min(longestScheduleDays, messageRetentionDays - keptAfterDueDays);
}

/** A time up to this long ago means now, in ms. */
export const sendAtGraceMs = 60_000;
