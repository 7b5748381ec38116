import { type RawBuilder, sql } from 'kysely';

/** The key of an address of a channel, in SQL. `contactKey` of core is the same rule. */
export function keyOf(channel: RawBuilder<unknown>, address: RawBuilder<unknown>): RawBuilder<string> {
  return sql`contact_key(${channel}, ${address})`;
}

/**
 * The keys under which `suppressions` and `consents` may have a contact, as an array, in SQL. Processes of the version before
 * store each spelling under its own key. `contactKeys` of core is the same rule.
 */
export function keysOf(channel: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql`contact_keys(${channel}, ${key})`;
}

/**
 * The key of a username to processes of the version before, in SQL: with its capitals. Null on other channels, where `keysOf` has
 * all of them.
 */
export function earlierKeyOf(
  channel: RawBuilder<unknown>,
  address: RawBuilder<unknown>,
): RawBuilder<string | null> {
  return sql`case when ${channel} = 'telegram' then ${address} end`;
}

/** Whether a stored key is one of these usernames, with any capitals, in SQL. Finds them among all usernames of the account. */
export function isUsernameOf(stored: RawBuilder<unknown>, keys: readonly string[]): RawBuilder<boolean> {
  const usernames = keys.filter((key) => key.startsWith('@'));
  if (usernames.length === 0) return sql`false`;
  return sql`(left(${stored}, 1) = '@' and contact_key('telegram', ${stored}) = any (${usernames}::text[]))`;
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
    select ${keysOf(channel, key)} || ${earlierKeyOf(channel, sql`${address}::text`)} || coalesce(${keysOf(channel, keyOf(channel, sql`max(v.address)`))}, '{}')
    from moved_contacts v where v.account_id = ${accountId} and v.contact = ${key}
  )::text[]`;
}
