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

/** How many refreshes of one browser within the grace of a replaced token lead to the same token. */
const followed = 20;

/**
 * The token that follows this one, the one that follows that, and so on. They come from the token itself, for of those
 * that were made only hashes are stored; without a JWT secret nobody can tell them from random ones.
 */
export function nextRefreshTokens(token: string, [newest]: readonly JwtSecret[]): readonly string[] {
  if (newest === undefined) throw new Error('at least one JWT secret is needed');
  const tokens: string[] = [];
  for (let last = token; tokens.length < followed; tokens.push(last))
    last = `rt_${keyedHash(newest, 'next refresh token', last).toString('base64url')}`;
  return tokens;
}

/** What is stored of a refresh token. */
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
