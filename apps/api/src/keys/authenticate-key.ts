import type { KeyHolder } from '@notify/db/tenants';
import type { ApiDeps } from '../deps.ts';
import { emailUnverified } from '../auth/email-unverified.ts';
import { addHeader } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../http/problem.ts';
import type { Authenticated } from '../http/route.ts';
import { isWellFormedKey, nameKey } from './key-text.ts';
import { takeRate } from './take-rate.ts';

/**
 * Checks the key, then its rate, then the tenant's permissions. A cached holder comes with `confirm`, because its facts
 * may be up to 10 s old. The commit of a send checks the key again.
 */
export async function authenticateKey(
  use: { readonly sends: boolean },
  exchange: Exchange,
  deps: ApiDeps,
): Promise<Authenticated> {
  const key = exchange.request.headers['x-api-key'];
  if (typeof key !== 'string' || !isWellFormedKey(key)) throw new Problem('invalid-api-key');
  const name = nameKey(key);
  const { holder, cached } = await findHolder(name, deps);
  if (holder === null) throw new Problem('invalid-api-key');
  const limit = holder.rateLimitOverride ?? deps.settings.keyRatePerMinute;
  await takeRate(deps, holder.keyId, limit, (name, value) => addHeader(exchange, name, value));
  requireStanding(holder, use.sends, deps);
  const caller = { tenantId: holder.tenantId, plan: holder.plan, keyId: holder.keyId };
  if (!cached) return { caller };
  return {
    caller,
    async confirm() {
      const now = await deps.keys.look(name);
      if (now === null) throw new Problem('invalid-api-key');
      requireStanding(now, use.sends, deps);
    },
  };
}

/** A cached holder that must verify its email address first is looked up again, because it may just have done so. */
async function findHolder(name: string, deps: ApiDeps): ReturnType<ApiDeps['keys']['find']> {
  const found = await deps.keys.find(name);
  if (!found.cached || found.holder === null || !mustVerify(found.holder, deps)) return found;
  return { holder: await deps.keys.look(name), cached: false };
}

function mustVerify(holder: KeyHolder, { settings }: ApiDeps): boolean {
  return settings.emailVerification === 'required' && !holder.emailVerified;
}

function requireStanding(holder: KeyHolder, sends: boolean, deps: ApiDeps): void {
  if (holder.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  if (!sends) return;
  if (holder.trialOver && deps.settings.trialEnforcement === 'block') throw new Problem('trial-expired');
  if (mustVerify(holder, deps)) throw emailUnverified();
}
