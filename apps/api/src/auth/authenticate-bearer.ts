import type { TokenScope } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { findOpenSession } from '@notify/db/tenants';
import type { Settings, Log } from '@notify/runtime';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../problems/problem.ts';
import type { Authenticated, Callers } from '../http/route.ts';
import { keyPrefix, tokenPrefix } from '../http/credential.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { keyOnBearerRoute } from '../keys/refusals.ts';
import { requireRate } from '../keys/take-rate.ts';
import { authenticateToken } from '../service-tokens/authenticate-token.ts';
import { readAccessToken } from './access-token.ts';

/** What `authenticateBearer` needs. */
export interface SessionNeeds {
  readonly db: Db;
  readonly settings: Settings;
  readonly log: Log;
  readonly sessionRates: KeyRates;
}

/**
 * Checks an access token, or a service token with the scope. If the route has no scope, a service token gets the same 401
 * as an unknown one.
 */
export async function authenticateBearer(
  scope: TokenScope | null,
  exchange: Exchange,
  deps: SessionNeeds,
): Promise<Authenticated & { caller: Callers['bearer'] }> {
  const { authorization = '', 'x-api-key': apiKey } = exchange.request.headers;
  const [, token] = /^Bearer +([\w.-]+) *$/i.exec(authorization) ?? [];
  if (token?.startsWith(keyPrefix) || (token === undefined && apiKey !== undefined))
    throw keyOnBearerRoute(scope);
  if (token === undefined) throw new Problem('unauthenticated');
  if (!token.startsWith(tokenPrefix)) return { caller: await authenticateSession(token, deps) };
  if (scope === null)
    throw new Problem('unauthenticated', { detail: 'A service token does not work here. Log in instead.' });
  return { caller: await authenticateToken(token, scope, exchange, deps) };
}

/**
 * Reads the access token, counts the request against the rate of its session, and looks the session up in the database.
 * So a logout takes effect at once in every process.
 */
async function authenticateSession(
  token: string,
  { db, settings, sessionRates }: { db: Db; settings: Settings; sessionRates: KeyRates },
): Promise<Callers['session']> {
  const claimed = readAccessToken(token, settings.jwtSecrets);
  if (claimed === null) throw new Problem('unauthenticated');
  const { tenantId, sessionId, expiresAt } = claimed;
  await requireRate(sessionRates, sessionId, settings.sessionRatePerMinute);
  const session = await findOpenSession(db, tenantId, sessionId);
  if (session === null) throw new Problem('unauthenticated');
  if (session.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  return { tenantId, bearerId: sessionId, isToken: false, plan: session.plan, expiresAt };
}
