import { createHash, randomBytes } from 'node:crypto';
import { sessionDays } from '@notify/db/tenants';
import type { JwtSecret } from '@notify/runtime';
import { stringifySetCookie } from 'cookie';
import { keyedHash } from './keyed-hash.ts';

/** The cookie that holds the refresh token. */
export const refreshCookie = 'svc_refresh';

/** A new refresh token: `rt_` and 256 random bits. */
export function makeRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`;
}

/**
 * How many successive refreshes within the grace period of a replaced token still lead one browser to the same token.
 */
const followed = 20;

/**
 * The token that follows this one, the token after that, and so on. They are derived from the token itself, because the
 * database holds only hashes of issued tokens. Without a JWT secret they look random.
 */
export function nextRefreshTokens(token: string, [newest]: readonly JwtSecret[]): readonly string[] {
  if (newest === undefined) throw new Error('at least one JWT secret is needed');
  const tokens: string[] = [];
  for (let last = token; tokens.length < followed; tokens.push(last))
    last = `rt_${keyedHash(newest, 'next refresh token', last).toString('base64url')}`;
  return tokens;
}

/** The hash of a refresh token, which is all the database holds of it. */
export function hashRefreshToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The `Set-Cookie` that hands the token to a browser for the rest of its session. */
export function setRefreshCookie(token: string, secure: boolean, expires?: Date): string {
  const seconds = sessionDays * 86_400;
  return stringifySetCookie({
    ...place(secure),
    value: token,
    ...(expires === undefined ? { maxAge: seconds } : { expires }),
  });
}

/** The `Set-Cookie` that makes a browser forget the token. */
export function clearRefreshCookie(secure: boolean): string {
  return stringifySetCookie({ ...place(secure), value: '', maxAge: 0 });
}

function place(secure: boolean) {
  return { name: refreshCookie, httpOnly: true, sameSite: 'strict', path: '/auth', secure } as const;
}
