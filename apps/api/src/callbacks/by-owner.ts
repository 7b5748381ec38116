import type { Inbound, MovedContact, Receipt, Adapter } from '@notify/channels';
import { type CallbackAccount, listAccounts } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { Secrets, Log } from '@notify/runtime';
import { adapterOf, openIfReadable } from '../channel-accounts/account.ts';

/** The content of a callback. */
interface Told {
  readonly receipts: readonly Receipt[];
  readonly inbound: readonly Inbound[];
  readonly moved: readonly MovedContact[];
}

/** The part of a callback that belongs to one account, with the account's open settings. */
export interface Owned extends Told {
  readonly owner: CallbackAccount;
  readonly settings: unknown;
}

/**
 * Assigns each receipt, each inbound message and each contact with a new address to an account. Without `isOf` in the
 * adapter, that is the addressed account, whose settings these are. With it, another account of the same tenant and
 * provider can be the owner. Items that belong to no account are dropped.
 */
export async function byOwner(
  told: Told,
  addressed: CallbackAccount,
  settings: unknown,
  deps: {
    readonly db: Db;
    readonly secrets: Secrets;
    readonly adapters: ReadonlyMap<string, Adapter>;
    readonly log: Log;
  },
): Promise<readonly Owned[]> {
  const adapter = adapterOf(deps, addressed.provider);
  const isOf = (item: Pick<Receipt, 'account'>, of: unknown) => adapter.isOf?.(item, of, settings) ?? true;
  const choose = (choice: (item: Pick<Receipt, 'account'>) => boolean): Told => ({
    receipts: told.receipts.filter(choice),
    inbound: told.inbound.filter(choice),
    moved: told.moved.filter(choice),
  });
  const own = { owner: addressed, settings, ...choose((item) => isOf(item, settings)) };
  const isAll = sizeOf(own) === sizeOf(told);
  const siblings = isAll ? [] : await siblingsOf(addressed, deps);
  const shared = siblings.flatMap((owner) => {
    const theirs = openIfReadable(deps, owner)?.settings;
    if (theirs === undefined) return [];
    return [{ owner, settings: theirs, ...choose((item) => !isOf(item, settings) && isOf(item, theirs)) }];
  });
  return [own, ...shared].filter((owned) => sizeOf(owned) > 0);
}

function sizeOf({ receipts, inbound, moved }: Told): number {
  return receipts.length + inbound.length + moved.length;
}

async function siblingsOf(
  { id, tenant_id, provider }: CallbackAccount,
  { db }: { db: Db },
): Promise<CallbackAccount[]> {
  const accounts = await listAccounts(db, tenant_id);
  return accounts.filter((account) => account.provider === provider && account.id !== id);
}
