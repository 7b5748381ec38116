import { type Channel, contactKeys } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The most other addresses that one search looks for. */
const mostOthers = 100;

/**
 * Addresses with those of the same people at the tenant's accounts: the ones by which a provider knows them, and the ones that
 * they had before. With and without a plus, as messages may have them.
 */
export async function withKnownAddresses(
  db: Db,
  tenantId: string,
  addresses: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ channel: Channel; contact: string; address: string }>`
    select distinct a.channel, v.contact, v.address
    from channel_accounts a join moved_contacts v on v.account_id = a.id
      and (v.contact = any (${[...addresses]}::text[]) or v.address = any (${[...addresses]}::text[]))
    where a.tenant_id = ${tenantId}::uuid limit ${mostOthers}`.execute(db);
  const others = rows.flatMap(({ channel, contact, address }) =>
    [contact, address].flatMap((one) => contactKeys(channel, one)).flatMap((key) => [key, `+${key}`]),
  );
  return [...new Set([...addresses, ...others])];
}
