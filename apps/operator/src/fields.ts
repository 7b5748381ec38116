import { type PasswordOwner, weaknessOf } from '@notify/core';
import { CommandError } from './command.ts';

// The same rules as for registration; see the interface, "Accounts".

/** 1–200 characters. `what` names it in the error. */
export function checkName(name: string | undefined, what = '--name'): string {
  if (name !== undefined && name.length > 0 && Array.from(name).length <= 200) return name;
  throw new CommandError(`${what} must have 1 to 200 characters`);
}

/** Text that contains an @, at most 254 characters (RFC 5321). */
export function checkEmail(email: string | undefined, what = '--email'): string {
  if (email !== undefined && /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254) return email;
  throw new CommandError(`${what} must be an email address`);
}

/** At least 8 characters, at most the 72 bytes that bcrypt reads, and not too easy to guess. */
export function checkPassword(password: string, owner: PasswordOwner): string {
  if (Array.from(password).length < 8 || Buffer.byteLength(password) > 72)
    throw new CommandError('--password must have at least 8 characters and at most 72 bytes');
  const weakness = weaknessOf(password, owner);
  if (weakness !== null) throw new CommandError(`--password ${weakness}`);
  return password;
}

/** A plan's name: lower-case letters, digits and hyphens. */
export function checkPlan(plan: string | undefined): string {
  if (plan !== undefined && /^[a-z0-9][a-z0-9-]{0,39}$/.test(plan)) return plan;
  throw new CommandError('a plan must have 1 to 40 lower-case letters, digits and hyphens');
}

/** A whole number of seconds, at most a day. */
export function checkSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds <= 86_400) return seconds;
  throw new CommandError(`--${option} must be a whole number of seconds, at most 86400`);
}

/** A day such as `2026-01-31`. Returns the instant at which it begins in UTC. */
export function checkDay(option: string, text: string | undefined): Date {
  const day = new Date(`${text ?? ''}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(day.getTime())) return day;
  throw new CommandError(`--${option} must be a date, such as 2026-01-31`);
}

/** An instant with its offset from UTC (RFC 3339): `2026-01-31T12:00:00Z`. */
export function checkTime(option: string, text: string): Date {
  const at = new Date(text);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new CommandError(`--${option} must be a time with a UTC offset, such as 2026-01-31T12:00:00Z`);
}
