import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';

/** A recipient's opt-out or opt-in, received through the provider. */
export interface ConsentChange {
  readonly recipient: string;
  readonly optedOut: boolean;
}

/** The `errorCode` of an opt-out from any source. */
export const optedOutCode = 'recipient-opted-out';

/** The recipient as `suppressions` stores it, in SQL: a phone number by its digits, any other unchanged. */
export function recipientKey(account: string, message: string): RawBuilder<string> {
  const recipient = sql`${sql.ref(message)}.recipient`;
  return sql`case when ${sql.ref(account)}.channel = 'telegram' then ${recipient} else ltrim(${recipient}, '+') end`;
}

/** Suppresses the recipients of these messages, because the account's provider refused them with an opt-out. */
export async function suppressRecipients(db: Statements, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await sql`
    insert into suppressions (account_id, recipient)
    select distinct a.id, ${recipientKey('a', 'm')}
    from messages m join channel_accounts a on a.id = m.channel_account_id
    where m.id = any (${[...messageIds]}::uuid[]) order by 1, 2
    on conflict do nothing`.execute(db);
}

/** Records opt-outs and opt-ins that a provider sends. Recipients are phone numbers. */
export async function recordConsents(
  db: Db,
  accountId: string,
  changes: readonly ConsentChange[],
): Promise<void> {
  for (const { recipient, optedOut } of changes) {
    const key = recipient.replace(/^\+/, '');
    if (optedOut)
      await sql`insert into suppressions (account_id, recipient) values (${accountId}, ${key})
        on conflict do nothing`.execute(db);
    else
      await db
        .deleteFrom('suppressions')
        .where('account_id', '=', accountId)
        .where('recipient', '=', key)
        .execute();
  }
}
