import type { JwtSecret } from '@notify/runtime';
import { stringifySetCookie } from 'cookie';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { foldEmail } from '../mail/folded-email.ts';
import { keyedHash } from './keyed-hash.ts';

/**
 * The cookie that marks a browser as one that has logged in to an account before (OWASP, "Slow Down Online Guessing
 * Attacks with Device Cookies"). It grants no access. Logins with it have their own limits, so strangers cannot lock
 * this browser out.
 */
export const deviceCookie = 'svc_device';
/** A year. */
const maxAgeSeconds = 365 * 86_400;
const idBytes = 16;

/** The id of the device if the cookie was made for this account under one of the secrets, else null. */
export function readDevice(
  cookie: string | undefined,
  email: string,
  secrets: readonly JwtSecret[],
): string | null {
  const [, id = '', given = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie ?? '') ?? [];
  if (id === '') return null;
  const known = secrets.some((secret) =>
    timingSafeEqual(Buffer.from(given), Buffer.from(markOf(id, email, secret))),
  );
  return known ? id : null;
}

/** The `Set-Cookie` that marks a browser as known to the account. `id` is the browser's id if it already has one. */
export function setDeviceCookie(
  id: string | null,
  email: string,
  [newest]: readonly JwtSecret[],
  secure: boolean,
): string {
  if (newest === undefined) throw new Error('at least one JWT secret is needed');
  const device = id ?? randomBytes(idBytes).toString('base64url');
  const value = `${device}.${markOf(device, email, newest)}`;
  const place = { httpOnly: true, sameSite: 'strict', path: '/auth/login', secure } as const;
  return stringifySetCookie({ ...place, name: deviceCookie, value, maxAge: maxAgeSeconds });
}

function markOf(id: string, email: string, secret: JwtSecret): string {
  return keyedHash(secret, 'device of an account', `${id} ${foldEmail(email)}`).toString('base64url');
}
