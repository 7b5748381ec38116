import { type RawBuilder, sql } from 'kysely';

/** The key of an address of a channel, in SQL. `contactKey` of core is the same rule. */
export function keyOf(channel: RawBuilder<unknown>, address: RawBuilder<unknown>): RawBuilder<string> {
  return sql`contact_key(${channel}, ${address})`;
}

/**
 * The keys under which `suppressions` and `consents` may have a contact, as an array, in SQL. Processes of the version before
 * store each spelling under a key of its own. `contactKeys` of core is the same rule.
 */
export function keysOf(channel: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql`contact_keys(${channel}, ${key})`;
}

/** The addresses of a key as providers may spell them, as an array, in SQL. */
export function addressesOf(channel: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql`array(
    select plus || spelling from unnest(${keysOf(channel, key)}) k(spelling), unnest(array['', '+']) p(plus)
  )`;
}

/** The key of the recipient of a message, with the channel of an account, in SQL. */
export function recipientKey(account: string, message: string): RawBuilder<string> {
  return keyOf(sql`${sql.ref(account)}.channel`, sql`${sql.ref(message)}.recipient`);
}

/** The keys of the person of an address, in SQL: where the address leads now, too. */
export function personKeys(
  accountId: RawBuilder<unknown>,
  channel: RawBuilder<unknown>,
  address: string,
): RawBuilder<string[]> {
  const key = keyOf(channel, sql`${address}::text`);
  return sql`(
    select ${keysOf(channel, key)} || coalesce(contact_keys(${channel}, contact_key(${channel}, max(v.address))), '{}')
    from moved_contacts v where v.account_id = ${accountId} and v.contact = ${key}
  )::text[]`;
}
