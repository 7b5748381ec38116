import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';

/** What a recipient asked for, through the provider. */
export interface ConsentChange {
  readonly recipient: string;
  readonly optedOut: boolean;
}

/** The `errorCode` that tells of an opt-out, wherever it comes from. */
export const optedOutCode = 'recipient-opted-out';

/** How a recipient is named in `suppressions`, in SQL: phone numbers by their digits, others as they are. */
export function recipientKey(account: string, message: string): RawBuilder<string> {
  const recipient = sql`${sql.ref(message)}.recipient`;
  return sql`case when ${sql.ref(account)}.channel = 'telegram' then ${recipient} else ltrim(${recipient}, '+') end`;
}

/** Suppresses the recipients of these messages, which their account's provider refused for an opt-out. */
export async function suppressRecipients(db: Statements, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return;
  await sql`
    insert into suppressions (account_id, recipient)
    select distinct a.id, ${recipientKey('a', 'm')}
    from messages m join channel_accounts a on a.id = m.channel_account_id
    where m.id = any (${[...messageIds]}::uuid[]) order by 1, 2
    on conflict do nothing`.execute(db);
}

/** Records opt-outs and opt-ins that a provider tells of; recipients are phone numbers. */
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
