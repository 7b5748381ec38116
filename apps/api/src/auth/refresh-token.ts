import { sessionDays } from '@notify/db';
import { stringifySetCookie } from 'cookie';
import { createHash, randomBytes } from 'node:crypto';

/** The cookie that holds the refresh token. */
export const refreshCookie = 'svc_refresh';

/** A new refresh token: `rt_` and 256 random bits. */
export function makeRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`;
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
