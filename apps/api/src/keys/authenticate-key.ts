import type { KeyHolder } from '@notify/db';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiDeps } from '../deps.ts';
import type { Authenticated } from '../http/authenticate.ts';
import { Problem } from '../http/problem.ts';
import { hashKey, isWellFormedKey } from './key-text.ts';

/**
 * Key, then rate, then what the tenant may. A holder from the cache comes with `confirm`, for what is answered to it
 * may be up to 10 s behind; a send is checked again in its commit.
 */
export async function authenticateKey(
  use: { readonly sends: boolean },
  request: IncomingMessage,
  response: ServerResponse,
  deps: ApiDeps,
): Promise<Authenticated> {
  const key = request.headers['x-api-key'];
  if (typeof key !== 'string' || !isWellFormedKey(key)) throw new Problem('invalid-api-key');
  const hash = hashKey(key);
  const { holder, cached } = await deps.keys.find(hash);
  if (holder === null) throw new Problem('invalid-api-key');
  await takeRate(holder, response, deps);
  requireStanding(holder, use.sends, deps);
  const caller = { tenantId: holder.tenantId, keyId: holder.keyId };
  if (!cached) return { caller };
  return {
    caller,
    async confirm() {
      const now = await deps.keys.look(hash);
      if (now === null) throw new Problem('invalid-api-key');
      requireStanding(now, use.sends, deps);
    },
  };
}

async function takeRate(
  holder: KeyHolder,
  response: ServerResponse,
  { keyRates, settings }: ApiDeps,
): Promise<void> {
  const limit = holder.rateLimitOverride ?? settings.keyRatePerMinute;
  const rate = await keyRates.take(holder.keyId, limit);
  const resetSeconds = Math.max(1, Math.ceil(rate.resetMs / 1000));
  response.setHeader('RateLimit-Limit', String(limit));
  response.setHeader('RateLimit-Remaining', String(rate.remaining));
  response.setHeader('RateLimit-Reset', String(resetSeconds));
  if (!rate.allowed) throw new Problem('rate-limited', { retryAfterSeconds: resetSeconds });
}

function requireStanding(holder: KeyHolder, sends: boolean, { settings }: ApiDeps): void {
  if (holder.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  if (sends && holder.trialOver && settings.trialEnforcement === 'block') throw new Problem('trial-expired');
}
