import { scheduleDays } from '@notify/core';
import type { Settings } from '@notify/runtime';
import { invalidRequest, type Problem } from '../problems/problem.ts';

/** The years that both `Date` and Postgres read and write as four digits. Times beyond are refused later, like any so far off. */
const [earliest, latest] = [Date.UTC(1970, 0), Date.UTC(9999, 0)];

/**
 * The time that a sender chose, with milliseconds. Rounded up, because a message never leaves early: `Date` would drop further
 * digits. The schema has checked the text.
 */
export function timeOf(text: string): Date {
  const [, beyond = ''] = /\.\d{3}(\d+)/.exec(text) ?? [];
  const ms = Date.parse(text) + (/[1-9]/.test(beyond) ? 1 : 0);
  return new Date(Math.min(Math.max(ms, earliest), latest));
}

/** `sendAt` is too far in the past or in the future, by the database's clock. */
export function invalidSendAt({ messageRetentionDays }: Pick<Settings, 'messageRetentionDays'>): Problem {
  const days = scheduleDays(messageRetentionDays);
  return invalidRequest({
    at: 'body/sendAt',
    message: `must be at most ${days} days ahead, and at most a minute ago`,
  });
}

/** How late a message may be and still count as waiting instead of scheduled, in ms. It is about the time that it is stored. */
const soonMs = 60_000;

/**
 * Whether a message counts against the limit of scheduled messages instead of that of waiting ones. This process judges by its
 * own clock, because nothing else depends on it.
 */
export function isLater(sendAt: Date | null | undefined): boolean {
  return sendAt !== null && sendAt !== undefined && sendAt.getTime() > Date.now() + soonMs;
}
