import { type CallbackAccount, type CallbackAddress, findCallbackAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { createBatcher } from '@notify/turns';

/** The account that a callback names, as the database has it now; null where the provider has none of that id. */
export type CallbackAccountFinder = (address: CallbackAddress) => Promise<CallbackAccount | null>;

const maxItems = 500;

/**
 * Finds the accounts that callbacks name; those asked for while a look-up is under way are the next one together. However
 * fast providers report, they take one connection of the pool.
 */
export function createCallbackAccounts(db: Db): CallbackAccountFinder {
  const batcher = createBatcher<CallbackAddress, CallbackAccount | null>({
    maxItems,
    run: (addresses) => findCallbackAccounts(db, addresses),
  });
  return (address) => batcher.add(address);
}
