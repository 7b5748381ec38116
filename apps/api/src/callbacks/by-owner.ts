import type { Receipt } from '@notify/channels';
import { type CallbackAccount, listAccounts } from '@notify/db/accounts';
import { adapterOf, openIfReadable } from '../channel-accounts/account.ts';
import type { ApiDeps } from '../deps.ts';

/** Receipts and the account they belong to. */
export interface Owned {
  readonly owner: CallbackAccount;
  readonly receipts: readonly Receipt[];
}

/**
 * Assigns each receipt to an account. That is the addressed account, whose settings these are. If the provider reports
 * on several accounts at one address, it can be another account of the same tenant and provider that shares the address
 * according to the adapter. Receipts without an account are dropped.
 */
export async function byOwner(
  receipts: readonly Receipt[],
  addressed: CallbackAccount,
  settings: unknown,
  deps: ApiDeps,
): Promise<readonly Owned[]> {
  const adapter = adapterOf(deps, addressed.provider);
  const isOf = (receipt: Receipt, of: unknown) => adapter.isReceiptOf?.(receipt, of, settings) ?? true;
  const { own = [], others = [] } = Object.groupBy(receipts, (receipt) =>
    isOf(receipt, settings) ? 'own' : 'others',
  );
  const siblings = others.length === 0 ? [] : await siblingsOf(addressed, deps);
  const shared = siblings.flatMap((owner) => {
    const theirs = openIfReadable(deps, owner);
    if (theirs === null) return [];
    return [{ owner, receipts: others.filter((receipt) => isOf(receipt, theirs.settings)) }];
  });
  return [{ owner: addressed, receipts: own }, ...shared].filter((owned) => owned.receipts.length > 0);
}

async function siblingsOf(
  { id, tenant_id, provider }: CallbackAccount,
  { db }: ApiDeps,
): Promise<CallbackAccount[]> {
  const accounts = await listAccounts(db, tenant_id);
  return accounts.filter((account) => account.provider === provider && account.id !== id);
}
