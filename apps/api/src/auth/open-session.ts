import type { AccessToken, LoggedIn } from '@notify/contract';
import { formatId } from '@notify/core';
import { createSession, type Db, type TenantRow, type Trx } from '@notify/db';
import type { Settings } from '@notify/runtime';
import type { Reply, RequestInfo } from '../http/route.ts';
import { accessTokenSeconds, type Session, signAccessToken } from './access-token.ts';
import { hashRefreshToken, makeRefreshToken, setRefreshCookie } from './refresh-token.ts';

/** Opens a session for somebody who has just proved who they are, and hands out its refresh cookie. */
export async function openSession(
  db: Db | Trx,
  tenantId: string,
  request: RequestInfo,
): Promise<{ readonly session: Session; readonly refreshToken: string }> {
  const refreshToken = makeRefreshToken();
  const sessionId = await createSession(db, {
    tenantId,
    tokenHash: hashRefreshToken(refreshToken),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.address,
  });
  return { session: { tenantId, sessionId }, refreshToken };
}

/** The answer to a login: the access token in the body, the refresh token in the cookie. */
export function answerLogin(
  tenant: TenantRow,
  opened: Awaited<ReturnType<typeof openSession>>,
  reply: Reply,
  settings: Settings,
): LoggedIn {
  reply.cookie(setRefreshCookie(opened.refreshToken, settings.cookieSecure));
  const user = { id: formatId('ten', tenant.id), name: tenant.name, email: tenant.email };
  return { success: true, data: { ...accessTokenFor(opened.session, settings), user } };
}

/** A fresh access token of a session. */
export function accessTokenFor(session: Session, { jwtSecrets }: Settings): AccessToken {
  return { accessToken: signAccessToken(session, jwtSecrets), expiresIn: accessTokenSeconds };
}
