import type { KeyScope, TokenScope } from '@notify/contract';
import { authenticateBearer } from '../auth/authenticate-bearer.ts';
import type { ApiDeps } from '../deps.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import type { Exchange } from './exchange.ts';
import type { Authenticated, Route } from './route.ts';

/**
 * Checks the credential that the route requires, its scope and its rate. Throws the problem that names the fault.
 */
export async function authenticate(route: Route, exchange: Exchange, deps: ApiDeps): Promise<Authenticated> {
  const authenticated = await byCredential(route, exchange, deps);
  if (authenticated.caller !== null) exchange.tenantId = authenticated.caller.tenantId;
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
