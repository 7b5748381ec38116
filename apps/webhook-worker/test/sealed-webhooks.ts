import { randomBytes, randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import type { Secrets } from '@notify/runtime';
import { makeWebhook } from '@notify/testkit';

/** A secret as the service makes them. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Makes a webhook whose secret is sealed as the api seals it. */
export async function makeSealedWebhook(
  db: Db,
  secrets: Secrets,
  tenantId: string,
  url: string,
  secret = newSecret(),
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = randomUUID();
  const sealed = secrets.seal(secret, { tenantId, table: 'webhooks', row: id, column: 'secret' });
  await makeWebhook(db, tenantId, { id, url, secret: sealed });
  return { id, secret };
}
