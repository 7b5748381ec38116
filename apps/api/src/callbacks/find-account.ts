import { type CallbackAccount, type CallbackAddress, findCallbackAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { createBatcher } from '@notify/turns';
import type { ApiDeps } from '../deps.ts';

const maxItems = 500;

/**
 * Finds the accounts that callbacks name; those asked for while a look-up is under way are the next one together. However
 * fast providers report, they take one connection of the pool.
 */
export function createCallbackAccounts(db: Db): ApiDeps['findCallbackAccount'] {
  const batcher = createBatcher<CallbackAddress, CallbackAccount | null>({
    maxItems,
    run: (addresses) => findCallbackAccounts(db, addresses),
  });
  return (address) => batcher.add(address);
}
