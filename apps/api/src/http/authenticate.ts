import { authenticateBearer } from '../auth/authenticate-bearer.ts';
import type { ApiDeps } from '../deps.ts';
import { authenticateKey } from '../keys/authenticate-key.ts';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import type { Callers, Credential, Route } from './route.ts';

/** Who calls. `confirm` is there when that came from a cache: it asks the database and throws when it no longer holds. */
export interface Authenticated {
  readonly caller: Callers[Credential];
  readonly confirm?: () => Promise<void>;
}

/** Checks the credential the route asks for, and with a key its rate. Throws the problem that says what is wrong. */
export async function authenticate(
  route: Route,
  request: ApiRequest,
  response: ApiResponse,
  deps: ApiDeps,
): Promise<Authenticated> {
  const authenticated = await byCredential(route, request, response, deps);
  if (authenticated.caller !== null) response.locals.tenantId = authenticated.caller.tenantId;
  return authenticated;
}

function byCredential(
  route: Route,
  request: ApiRequest,
  response: ApiResponse,
  deps: ApiDeps,
): Promise<Authenticated> {
  switch (route.credential) {
    case 'none':
      return Promise.resolve({ caller: null });
    case 'bearer':
      return authenticateBearer(request, deps);
    case 'api-key':
      return authenticateKey({ sends: route.method !== 'get' }, request, response, deps);
  }
}
