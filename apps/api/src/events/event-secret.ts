import type { Db } from '@notify/db/connection';
import { findEventSecret, storeEventSecret } from '@notify/db/events';
import type { Place, Secrets } from '@notify/runtime';
import { newWebhookSecret } from '../webhooks/webhook-secret.ts';

/** The secret that signs a tenant's events. Makes one at its first use; concurrent calls get the same. */
export async function eventSecretOf(
  tenantId: string,
  { dashboardDb: db, secrets }: { dashboardDb: Db; secrets: Secrets },
): Promise<string> {
  const place: Place = { tenantId, table: 'event_secrets', row: tenantId, column: 'secret' };
  const sealed =
    (await findEventSecret(db, tenantId)) ??
    (await storeEventSecret(db, tenantId, secrets.seal(newWebhookSecret(), place)));
  return secrets.open(sealed, place);
}
