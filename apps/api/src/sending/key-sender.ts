import type { Channel } from '@notify/core';
import { chooseAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import type { TwinCaller } from '../http/twins.ts';

/** The sender of an item, as the group commit needs it. */
export interface ItemSender {
  readonly tenantId: string;
  /** Null if a session or a service token sends. */
  readonly keyId: string | null;
  /** The only accounts of the key. Null or absent: all of the tenant's. */
  readonly accountIds?: readonly string[] | null;
  /** The account of a send that names none. Null or absent: the channel's default account, which the commit finds. */
  readonly ownAccountId?: string | null;
}

/**
 * The sender that a caller makes. If its key is for some accounts, a send that names none goes by the only one of them on the
 * channel, or by the default account if that is among them. The commit refuses every account that the key is not for.
 */
export async function keySender(
  { tenantId, keyId, accountIds }: TwinCaller,
  channel: Channel,
  { db }: { db: Db },
): Promise<ItemSender> {
  if (accountIds === null) return { tenantId, keyId };
  return {
    tenantId,
    keyId,
    accountIds,
    ownAccountId: await chooseAccount(db, tenantId, channel, accountIds),
  };
}
