import { type RawBuilder, sql } from 'kysely';

/**
 * The recipient as `suppressions` and `consents` store it, in SQL: a phone number by its digits, any other unchanged.
 * `contactKey` of core is the same rule.
 */
export function recipientKey(account: string, message: string): RawBuilder<string> {
  const recipient = sql`${sql.ref(message)}.recipient`;
  return sql`case when ${sql.ref(account)}.channel = 'telegram' then ${recipient} else ltrim(${recipient}, '+') end`;
}
