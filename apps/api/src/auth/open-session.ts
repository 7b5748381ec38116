import type { AccessToken, LoggedIn } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Db, Trx } from '@notify/db/connection';
import { createSession, type TenantRow } from '@notify/db/tenants';
import type { Settings } from '@notify/runtime';
import type { RequestInfo } from '../http/request-info.ts';
import type { Reply } from '../http/route.ts';
import { accessTokenSeconds, type Session, signAccessToken } from './access-token.ts';
import { setDeviceCookie } from './device-cookie.ts';
import { hashRefreshToken, makeRefreshToken, setRefreshCookie } from './refresh-token.ts';

/** A new session and its refresh token. */
export interface OpenedSession {
  readonly session: Session;
  readonly refreshToken: string;
}

/**
 * Opens a session after the caller has checked the password against `tenant`. Null if the password has since been
 * changed or the tenant deleted.
 */
export async function openSession(
  db: Db | Trx,
  tenant: TenantRow,
  request: RequestInfo,
): Promise<OpenedSession | null> {
  const refreshToken = makeRefreshToken();
  const sessionId = await createSession(db, {
    tenantId: tenant.id,
    passwordHash: tenant.password_hash,
    tokenHash: hashRefreshToken(refreshToken),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    address: request.address(),
  });
  return sessionId === null ? null : { session: { tenantId: tenant.id, sessionId }, refreshToken };
}

/**
 * The answer to a login. The body holds the access token; cookies hold the refresh token and the mark of the device.
 */
export function answerLogin(
  tenant: TenantRow,
  opened: OpenedSession,
  device: string | null,
  reply: Reply,
  settings: Settings,
): LoggedIn {
  reply.cookie(setRefreshCookie(opened.refreshToken, settings.cookieSecure));
  reply.cookie(setDeviceCookie(device, tenant.email, settings.jwtSecrets, settings.cookieSecure));
  const user = { id: formatId('ten', tenant.id), name: tenant.name, email: tenant.email };
  return { success: true, data: { ...accessTokenFor(opened.session, settings), user } };
}

/** A fresh access token of a session. */
export function accessTokenFor(session: Session, { jwtSecrets }: Settings): AccessToken {
  return { accessToken: signAccessToken(session, jwtSecrets), expiresIn: accessTokenSeconds };
}
