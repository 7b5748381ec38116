import { type Batcher, createBatcher } from '@notify/batching';
import { type CallbackAccount, type CallbackAddress, findCallbackAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';

const maxItems = 500;

/** The look-ups of accounts that callbacks name. */
export type CallbackAccounts = Batcher<CallbackAddress, CallbackAccount | null>;

/**
 * Requests that arrive during a look-up share the next one, so callbacks take one connection of the pool even under load.
 */
export function createCallbackAccounts(db: Db): CallbackAccounts {
  return createBatcher({ maxItems, run: (addresses) => findCallbackAccounts(db, addresses) });
}

/** Finds the account that a callback names, fresh from the database. Null if the provider has no account of that id. */
export function findCallbackAccount(
  accounts: CallbackAccounts,
  address: CallbackAddress,
): Promise<CallbackAccount | null> {
  return accounts.add(address);
}
