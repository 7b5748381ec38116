import { type RawBuilder, sql } from 'kysely';
import { sandboxProvider } from '../accounts/default-account.ts';

/**
 * Whether the message of a known idempotency key answers a sender, in SQL: the key of the sender is for its account. Nor is a message
 * of the sandbox the answer if the sender would send by a real account, because then nothing would ever be sent.
 * `known` is a row with an `account_id`, `sender` one with `account_ids` and the `provider` of the account that would send.
 */
export function mayRepeat(known: string, sender: string): RawBuilder<boolean> {
  const account = sql.ref(`${known}.account_id`);
  const own = sql.ref(`${sender}.account_ids`);
  return sql<boolean>`(coalesce(${account} = any (${own}), ${own} is null)
          and not (${isReal(sql.ref(`${sender}.provider`))} and ${isOfSandbox(account)}))`;
}

/** Whether there is an account of this provider and it sends something, in SQL. */
export function isReal(provider: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${provider} <> ${sql.lit(sandboxProvider)}, false)`;
}

/** Whether an account is one of the sandbox, in SQL. */
export function isOfSandbox(accountId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
            select from channel_accounts where id = ${accountId} and provider = ${sql.lit(sandboxProvider)})`;
}
