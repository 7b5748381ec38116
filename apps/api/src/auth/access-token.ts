import type { JwtSecret } from '@notify/runtime';
import jwt from 'jsonwebtoken';
import { isUuid } from '@notify/core';

/** How long an access token is valid. */
export const accessTokenSeconds = 900;
const algorithm = 'HS256';

export interface Session {
  readonly tenantId: string;
  readonly sessionId: string;
}

/** A session as read from a token. */
export interface AccessToken extends Session {
  readonly expiresAt: Date;
}

/** Signs an access token with the newest secret. */
export function signAccessToken(session: Session, secrets: readonly JwtSecret[]): string {
  const [newest] = secrets;
  if (newest === undefined) throw new Error('at least one JWT secret is needed');
  return jwt.sign({ sid: session.sessionId }, newest.secret, {
    algorithm,
    keyid: newest.kid,
    subject: session.tenantId,
    expiresIn: accessTokenSeconds,
  });
}

/** Reads an access token. Null if we did not sign it, if it was changed, or if it has expired. */
export function readAccessToken(token: string, secrets: readonly JwtSecret[]): AccessToken | null {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    const known = secrets.find((secret) => secret.kid === header?.kid);
    // `crit` lists extensions that a reader must understand, and we know none (RFC 7515, 4.1.11). The library ignores
    // it.
    if (known === undefined || header?.crit !== undefined) return null;
    const claims = jwt.verify(token, known.secret, { algorithms: [algorithm] });
    if (typeof claims === 'string') return null;
    const { sub: tenantId, sid: sessionId, exp } = claims as Readonly<Record<string, unknown>>;
    if (!isId(tenantId) || !isId(sessionId) || typeof exp !== 'number') return null;
    return { tenantId, sessionId, expiresAt: new Date(exp * 1_000) };
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return null;
    throw error;
  }
}

function isId(claim: unknown): claim is string {
  return typeof claim === 'string' && isUuid(claim);
}
