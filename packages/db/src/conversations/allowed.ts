import { type RawBuilder, sql } from 'kysely';

/** Whether a row's `account_id` is one of these, in SQL. Null: every account of the tenant is. */
export function isAllowed(accountIds: readonly string[] | null): RawBuilder<boolean> {
  return accountIds === null
    ? sql<boolean>`true`
    : sql<boolean>`account_id = any (${[...accountIds]}::uuid[])`;
}
