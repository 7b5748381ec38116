import { whenDatabaseIsBack } from '@notify/db/connection';
import { type ClaimedDelivery, releaseDeliveries } from '@notify/db/webhooks';
import type { WebhookDeps } from './deps.ts';

/**
 * Gives deliveries back as if they had not been claimed: no attempt counts, and they are due at once, or after
 * `afterMs`. Waits while the database is away.
 */
export function giveBack(
  claims: readonly ClaimedDelivery[],
  { db, log }: Pick<WebhookDeps, 'db' | 'log'>,
  afterMs = 0,
): Promise<void> {
  return whenDatabaseIsBack(
    () => releaseDeliveries(db, claims, afterMs),
    (error) => log.tell('delivery-release-waits', { err: error, deliveries: claims.length }),
  );
}
