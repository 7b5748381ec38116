import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { AccountRow } from './accounts.ts';

/** The account that a callback names. */
export interface CallbackAddress {
  readonly provider: string;
  readonly accountId: string;
}

/** The columns of an account that a callback needs. */
export type CallbackAccount = Pick<AccountRow, 'id' | 'tenant_id' | 'channel' | 'provider' | 'settings'>;

/**
 * The accounts that callbacks name, of any tenant, in the order of `addresses`. Null when the provider has no account
 * of that id. The caller must authenticate each callback.
 */
export async function findCallbackAccounts(
  db: Db,
  addresses: readonly CallbackAddress[],
): Promise<(CallbackAccount | null)[]> {
  const ids = [...new Set(addresses.map((address) => address.accountId))];
  const { rows } = await sql<CallbackAccount>`
    select id, tenant_id, channel, provider, settings from channel_accounts
    where id = any (${ids}::uuid[]) and deleted_at is null`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return addresses.map(({ provider, accountId }) => {
    const row = byId.get(accountId);
    return row?.provider === provider ? row : null;
  });
}
