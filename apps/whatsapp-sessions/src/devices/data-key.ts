import { randomBytes } from 'node:crypto';
import { createSecrets, type Secrets } from '@notify/runtime';

interface Whose {
  readonly tenantId: string;
  readonly accountId: string;
}

/** Makes a key for the data of one device, sealed with the master key. */
export function newDataKey(master: Secrets, whose: Whose): string {
  return master.seal(randomBytes(32).toString('base64'), placeOf(whose));
}

/** Opens a sealed data key. Throws if it was sealed for another account, or with an unknown master key. */
export function openDataKey(master: Secrets, whose: Whose, sealed: string): Secrets {
  const key = Buffer.from(master.open(sealed, placeOf(whose)), 'base64');
  return createSecrets([{ version: 1, key }]);
}

function placeOf({ tenantId, accountId }: Whose) {
  return { tenantId, table: 'whatsapp_links', row: accountId, column: 'data_key' };
}
