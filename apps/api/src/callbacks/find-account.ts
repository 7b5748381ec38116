import { createBatcher } from '@notify/batching';
import { type CallbackAccount, type CallbackAddress, findCallbackAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';

/** Finds the account that a callback names, fresh from the database. Null if the provider has no account of that id. */
export type CallbackAccountFinder = (address: CallbackAddress) => Promise<CallbackAccount | null>;

const maxItems = 500;

/**
 * Finds the accounts that callbacks name. Requests that arrive during a look-up share the next one, so callbacks take
 * one connection of the pool even under load.
 */
export function createCallbackAccounts(db: Db): CallbackAccountFinder {
  const batcher = createBatcher<CallbackAddress, CallbackAccount | null>({
    maxItems,
    run: (addresses) => findCallbackAccounts(db, addresses),
  });
  return (address) => batcher.add(address);
}
