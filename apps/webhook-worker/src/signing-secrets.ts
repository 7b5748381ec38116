import type { ClaimedDelivery } from '@notify/db/webhooks';
import type { Place } from '@notify/runtime';
import type { WebhookDeps } from './deps.ts';

/**
 * The secrets that sign a delivery, newest first. Null when the newest cannot be opened, because every post must be
 * signed. An older one that cannot be opened is left out. Either case is logged.
 */
export function signingSecrets(
  { webhook }: ClaimedDelivery,
  deps: Pick<WebhookDeps, 'secrets' | 'log'>,
): string[] | null {
  const { id, tenantId, secret, previousSecret, olderSecrets } = webhook;
  const place = { tenantId, table: 'webhooks', row: id };
  const newest = open(secret, { ...place, column: 'secret' }, id, deps);
  if (newest === null) return null;
  const previous =
    previousSecret === null ? null : open(previousSecret, { ...place, column: 'previous_secret' }, id, deps);
  const older = olderSecrets.map((one) =>
    open(one.secret, { tenantId, table: 'webhook_older_secrets', row: one.id, column: 'secret' }, id, deps),
  );
  return [newest, previous, ...older].filter((one) => one !== null);
}

function open(
  sealed: string,
  place: Place,
  webhookId: string,
  { secrets, log }: Pick<WebhookDeps, 'secrets' | 'log'>,
): string | null {
  try {
    return secrets.open(sealed, place);
  } catch (error) {
    log.tell('webhook-secret-unreadable', { err: error, webhookId, tenantId: place.tenantId });
    return null;
  }
}
