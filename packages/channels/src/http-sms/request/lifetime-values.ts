import { lifetimeIn } from '../../requests/lifetime.ts';
import type { HttpSmsSettings } from '../settings/settings.ts';

type Limits = NonNullable<HttpSmsSettings['lifetime']>;

/** The placeholders of what remains of a message's life that are numbers. */
export const lifetimeNumbers = ['ttl_seconds', 'ttl_minutes', 'ttl_ms'] as const;

/** All placeholders of what remains of a message's life. */
export const lifetimePlaceholders = [...lifetimeNumbers, 'expires_at'] as const;

/** The longest lifetime of a message, in s. */
const longestSeconds = 604_800;

/**
 * The values of `lifetimePlaceholders` at the moment of the call: whole seconds, whole minutes, whole seconds in ms, and
 * the end as a time in UTC (RFC 3339). All are within the limits of the gateway, and at least one unit.
 */
export function lifetimeValues(
  lifetimeMs: number,
  { minSeconds = 1, maxSeconds = longestSeconds }: Limits,
  now: number,
): readonly (readonly [string, string])[] {
  const seconds = lifetimeIn(lifetimeMs, { unitMs: 1_000, least: minSeconds, most: maxSeconds });
  const minutes = lifetimeIn(lifetimeMs, {
    unitMs: 60_000,
    least: Math.ceil(minSeconds / 60),
    most: Math.max(Math.floor(maxSeconds / 60), 1),
  });
  return [
    ['ttl_seconds', String(seconds)],
    ['ttl_minutes', String(minutes)],
    ['ttl_ms', String(seconds * 1_000)],
    ['expires_at', new Date(now + seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z')],
  ];
}

/** Refuses limits that leave no lifetime, or none in whole minutes if a template has them. `used` are its placeholders. */
export function checkLifetime(
  { lifetime = {} }: HttpSmsSettings,
  used: readonly string[],
): { at: string; message: string }[] {
  const { minSeconds = 1, maxSeconds = longestSeconds } = lifetime;
  const fault = (message: string) => [{ at: '/lifetime/maxSeconds', message }];
  if (minSeconds > maxSeconds) return fault('must be at least minSeconds');
  const hasMinute = Math.ceil(minSeconds / 60) <= Math.floor(maxSeconds / 60);
  return hasMinute || !used.includes('ttl_minutes')
    ? []
    : fault('must leave a whole minute from minSeconds on, because {{ttl_minutes}} is used');
}
