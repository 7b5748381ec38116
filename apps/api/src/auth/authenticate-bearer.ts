import type { IncomingMessage } from 'node:http';
import { findOpenSession } from '@notify/db/tenants';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../http/problem.ts';
import type { Authenticated, Callers } from '../http/route.ts';
import { requireRate } from '../keys/take-rate.ts';
import { readAccessToken } from './access-token.ts';

/**
 * Reads the access token, counts the request against the rate of its session, and looks the session up in the database.
 * So a logout takes effect at once in every process.
 */
export async function authenticateBearer(
  request: IncomingMessage,
  { db, settings, sessionRates }: Pick<ApiDeps, 'db' | 'settings' | 'sessionRates'>,
): Promise<Authenticated & { caller: Callers['bearer'] }> {
  const [, token] = /^Bearer +([\w.-]+) *$/i.exec(request.headers.authorization ?? '') ?? [];
  const claimed = token === undefined ? null : readAccessToken(token, settings.jwtSecrets);
  if (claimed === null) throw new Problem('unauthenticated');
  await requireRate(sessionRates, claimed.sessionId, settings.sessionRatePerMinute);
  const session = await findOpenSession(db, claimed.tenantId, claimed.sessionId);
  if (session === null) throw new Problem('unauthenticated');
  if (session.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  return { caller: { ...claimed, plan: session.plan } };
}
