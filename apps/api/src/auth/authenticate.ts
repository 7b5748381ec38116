import type { KeyScope, TokenScope } from '@notify/contract';
import { authenticateBearer } from './authenticate-bearer.ts';
import type { ApiDeps } from '../deps.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Authenticated, Route } from '../http/route.ts';

/**
 * Checks the credential that the route requires, its scope and its rate. Throws the problem that names the fault.
 */
export async function authenticate(route: Route, exchange: Exchange, deps: ApiDeps): Promise<Authenticated> {
  const authenticated = await byCredential(route, exchange, deps);
  if (authenticated.caller === null) return authenticated;
  const { tenantId } = authenticated.caller;
  exchange.tenantId = tenantId;
  const { authorization } = exchange.request.headers;
  if (route.credential !== 'api-key' && authorization !== undefined)
    deps.bearers.remember(authorization, tenantId);
  return authenticated;
}

function byCredential(route: Route, exchange: Exchange, deps: ApiDeps): Promise<Authenticated> {
  switch (route.credential) {
    case 'none':
      return Promise.resolve({ caller: null });
    case 'session':
    case 'bearer':
      return authenticateBearer(route.scope as TokenScope | null, exchange, deps);
    case 'api-key':
      return authenticateKey(route.scope as KeyScope, exchange, deps);
  }
}
