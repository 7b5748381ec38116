import type { Channel, Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { recipientKey } from './recipient-key.ts';
import type { NewConsent } from './consent.ts';
import { recordConsents } from './record.ts';

/** The `errorCode` of an opt-out from any source. */
export const optedOutCode = 'recipient-opted-out';

interface Refused {
  readonly id: string;
  readonly recipient: string;
  readonly account_id: string;
  readonly tenant_id: string;
  readonly channel: Channel;
}

/**
 * Records that the recipients of these messages opted out, because the account's provider refused the messages with that
 * reason. If the recipient opted in after the attempt had begun, the refusal says nothing new. Returns the webhooks with new
 * work. Takes no lock of a message. A settlement calls this before it moves the due rows.
 */
export async function recordRefusals(trx: Statements, messageIds: readonly string[]): Promise<Wake[]> {
  if (messageIds.length === 0) return [];
  const { rows } = await sql<Refused>`
    select m.id, m.recipient, a.id as account_id, a.tenant_id, a.channel
    from messages m join channel_accounts a on a.id = m.channel_account_id
    where m.id = any (${[...messageIds]}::uuid[]) and not exists (
      select from consents c
      where c.account_id = a.id and c.status = 'opted-in' and c.changed_at >= ${attempted}
        and c.recipient = any (array[${recipientKey('a', 'm')}, (
          select contact_key(a.channel, address) from moved_contacts v
          where v.account_id = a.id and v.contact = ${recipientKey('a', 'm')}
        )])
    )
    order by m.id`.execute(trx);
  return recordConsents(trx, rows.map(toConsent));
}

/** When the newest attempt of the message `m` began, in SQL. A settled message has no due row. */
const attempted = sql`coalesce(
      (select attempt_began_at from dispatch_due d where d.message_id = m.id),
      (select max(started_at) from attempts t where t.message_id = m.id),
      m.sent_at)`;

function toConsent({ id, recipient, account_id, tenant_id, channel }: Refused): NewConsent {
  const account = { id: account_id, tenantId: tenant_id, channel };
  return { account, recipient, status: 'opted-out', source: 'provider', messageId: id };
}
