import type { TokenScope } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import type { Settings, Log } from '@notify/runtime';
import { authenticateBearer, type SessionNeeds } from './authenticate-bearer.ts';
import { authenticateKey, type KeyNeeds } from '../keys/authenticate-key.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Authenticated, Route } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import type { KnownBearers } from './known-bearers.ts';

/** What `authenticate` needs. */
export interface AuthenticationNeeds {
  readonly db: Db;
  readonly settings: Settings;
  readonly log: Log;
  readonly keys: KeyRing;
  readonly bearers: KnownBearers;
  readonly keyRates: KeyRates;
  readonly sessionRates: KeyRates;
}

/**
 * Checks the credential that the route requires, its scope and its rate. Throws the problem that names the fault.
 */
export async function authenticate(
  route: Route,
  exchange: Exchange,
  deps: AuthenticationNeeds,
): Promise<Authenticated> {
  const authenticated = await byCredential(route, exchange, deps);
  if (authenticated.caller === null) return authenticated;
  const { tenantId } = authenticated.caller;
  exchange.tenantId = tenantId;
  const { authorization } = exchange.request.headers;
  if (route.credential !== 'api-key' && authorization !== undefined)
    deps.bearers.remember(authorization, tenantId);
  return authenticated;
}

function byCredential(
  route: Route,
  exchange: Exchange,
  deps: SessionNeeds & KeyNeeds,
): Promise<Authenticated> {
  switch (route.credential) {
    case 'none':
      return Promise.resolve({ caller: null });
    case 'session':
    case 'bearer':
      return authenticateBearer(route.scope as TokenScope | null, exchange, deps);
    case 'api-key':
      return authenticateKey(route as Route<'api-key'>, exchange, deps);
  }
}
