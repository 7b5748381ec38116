import type { KeyScope } from '@notify/contract';
import type { Settings } from '@notify/runtime';
import { emailUnverified } from '../problems/email-unverified.ts';
import { addHeader } from '../http/answer.ts';
import { clientAddress } from '../http/address/client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../problems/problem.ts';
import type { Authenticated, Route } from '../http/route.ts';
import type { KeyRates } from './key-rates.ts';
import type { HeldKey, KeyRing } from './key-ring.ts';
import { missingScope, noKey, wrongAddress } from './refusals.ts';
import { takeRate } from './take-rate.ts';

/** What `authenticateKey` needs. */
export interface KeyNeeds {
  readonly settings: Settings;
  readonly keys: KeyRing;
  readonly keyRates: KeyRates;
}

/** The scopes whose operations check the key once more in their own statement. */
const checkedAgain: readonly KeyScope[] = ['send', 'read'];

/**
 * Checks the key, its rate, its addresses and scope, and then the permissions of its tenant. Refusals count against the
 * rate. A cached holder comes with `confirm`, because its facts may be up to 10 s old. The commit of a send and the look-up of
 * a message check the key again; other operations never take it from the cache.
 */
export async function authenticateKey(
  { scope, keyInAuthorization = false }: Pick<Route<'api-key'>, 'scope' | 'keyInAuthorization'>,
  exchange: Exchange,
  deps: KeyNeeds,
): Promise<Authenticated> {
  const name = exchange.asker?.keyName;
  if (name === undefined) throw noKey(exchange.request.headers, keyInAuthorization);
  const { holder, cached } = await findHolder(name, scope, exchange, deps);
  if (holder === null) throw new Problem('invalid-api-key');
  const limit = holder.rateLimitOverride ?? deps.settings.keyRatePerMinute;
  await takeRate(deps, holder.keyId, limit, (name, value) => addHeader(exchange, name, value));
  const refusal = refusalOf(holder, scope, exchange, deps);
  if (refusal !== null) throw refusal;
  requireStanding(holder, scope, deps);
  const { tenantId, plan, keyId, accountIds } = holder;
  const caller = { tenantId, plan, keyId, accountIds };
  if (!cached) return { caller };
  return {
    caller,
    async confirm() {
      const now = await deps.keys.look(name);
      if (now === null) throw new Problem('invalid-api-key');
      requireStanding(now, scope, deps);
    },
  };
}

/**
 * A cached holder is looked up again if it would be refused, because it may have been revoked, or its tenant may just have
 * confirmed its email address.
 */
async function findHolder(
  name: string,
  scope: KeyScope,
  exchange: Exchange,
  deps: { readonly settings: Settings; readonly keys: KeyRing },
): ReturnType<KeyRing['find']> {
  const found = checkedAgain.includes(scope) ? await deps.keys.find(name) : null;
  const isGood =
    found !== null &&
    (!found.cached ||
      found.holder === null ||
      (!mustConfirm(found.holder, deps) && refusalOf(found.holder, scope, exchange, deps) === null));
  return isGood ? found : { holder: await deps.keys.look(name), cached: false };
}

/** Why the key itself does not allow the request. */
function refusalOf(
  { allows, scopes }: HeldKey,
  scope: KeyScope,
  { request }: Exchange,
  { settings }: { settings: Settings },
): Problem | null {
  if (allows !== null && !allows(clientAddress(request, settings.trustedProxies)))
    return wrongAddress('API key');
  return scopes.includes(scope) ? null : missingScope('API key', scope);
}

function mustConfirm(holder: HeldKey, { settings }: { settings: Settings }): boolean {
  return settings.emailVerification === 'required' && !holder.emailConfirmed;
}

function requireStanding(holder: HeldKey, scope: KeyScope, deps: { readonly settings: Settings }): void {
  if (holder.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  if (scope !== 'send') return;
  if (holder.trialOver && deps.settings.trialEnforcement === 'block') throw new Problem('trial-expired');
  if (mustConfirm(holder, deps)) throw emailUnverified();
}
