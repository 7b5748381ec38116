import { type Channel, contactKeys } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { AddressAt } from './filter.ts';

/** The most other addresses that one search looks for. */
const mostOthers = 100;

/**
 * The other addresses of the people of these, each at the account of the tenant that knows it: the ones by which a provider knows
 * them, and the ones that they had before. With and without a plus, as messages may have them. Who is the same person to one
 * account need not be to another. SMS tells no such address.
 */
export async function findKnownAddresses(
  db: Db,
  tenantId: string,
  addresses: readonly string[],
): Promise<AddressAt[]> {
  const { rows } = await sql<{ accountId: string; channel: Channel; contact: string; address: string }>`
    select distinct a.id as "accountId", a.channel, v.contact, v.address
    from channel_accounts a join moved_contacts v on v.account_id = a.id
      and (v.contact = any (${[...addresses]}::text[]) or v.address = any (${[...addresses]}::text[]))
    where a.tenant_id = ${tenantId}::uuid and a.channel <> 'sms' limit ${mostOthers}`.execute(db);
  return rows.flatMap(({ accountId, channel, contact, address }) =>
    [contact, address]
      .flatMap((one) => contactKeys(channel, one))
      .flatMap((key) => [key, `+${key}`])
      .map((one) => ({ accountId, address: one })),
  );
}
