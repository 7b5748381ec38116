import { findTokenHolder, touchServiceToken } from '@notify/db/tenants';
import type { TokenScope } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { hashSecret, type Settings, type Log } from '@notify/runtime';
import { compileBlocks } from '@notify/egress';
import { clientAddress } from '../http/address/client-address.ts';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../problems/problem.ts';
import type { Callers } from '../http/route.ts';
import type { KeyRates } from '../keys/key-rates.ts';
import { missingScope, wrongAddress } from '../keys/refusals.ts';
import { requireRate } from '../keys/take-rate.ts';
import { isWellFormedToken } from './token-text.ts';

/**
 * Looks a service token up in the database, so a revocation takes effect at once in every process. Counts the
 * request against the token's rate, which is the one of a session, and then checks its addresses and its scope.
 */
export async function authenticateToken(
  token: string,
  scope: TokenScope,
  { request }: Pick<Exchange, 'request'>,
  { db, log, settings, sessionRates }: { db: Db; settings: Settings; log: Log; sessionRates: KeyRates },
): Promise<Callers['bearer']> {
  const holder = isWellFormedToken(token) ? await findTokenHolder(db, hashSecret(token)) : null;
  if (holder === null) throw new Problem('unauthenticated');
  const { tokenId, tenantId, plan, expiresAt, allowedIps } = holder;
  await requireRate(sessionRates, tokenId, settings.sessionRatePerMinute);
  if (allowedIps !== null && !compileBlocks(allowedIps)(clientAddress(request, settings.trustedProxies)))
    throw wrongAddress('service token');
  if (!holder.scopes.includes(scope)) throw missingScope('service token', scope);
  if (holder.blocked) throw new Problem('forbidden', { detail: 'The operator has blocked this tenant.' });
  if (holder.isUseDue)
    touchServiceToken(db, tokenId).catch((error: unknown) =>
      log.tell('token-use-not-stored', { err: error }),
    );
  return { tenantId, plan, bearerId: tokenId, isToken: true, expiresAt, allowedIps };
}
