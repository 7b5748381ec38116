import type { Receipt } from '@notify/channels';
import { type CallbackAccount, listAccounts } from '@notify/db/accounts';
import { adapterOf, openIfReadable } from '../channel-accounts/account.ts';
import type { ApiDeps } from '../deps.ts';

/** Receipts, with the account they are about. */
export interface Owned {
  readonly owner: CallbackAccount;
  readonly receipts: readonly Receipt[];
}

/**
 * Whose each receipt is: the addressed account's (whose settings these are), or, where the provider reports on several
 * accounts at one address, that of another account of the same tenant and provider which the adapter says shares it. A
 * receipt that is nobody's goes.
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
