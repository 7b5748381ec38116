import { contactKey, contactKeys } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { transact } from '../connection/transact.ts';
import { lockMoves } from './lock-moves.ts';
import { findPlaces } from './person.ts';
import { isUsernameOf } from './recipient-key.ts';
import type { ConsentAccount } from './consent.ts';

/**
 * Forgets what is known of a recipient's consent, under every address of a person who has moved, so that messages go again.
 * The history stays and says `removed`. It has no event. Does nothing if nothing is known. A block that the provider
 * itself keeps is not lifted.
 */
export async function removeConsent(db: Db, account: ConsentAccount, recipient: string): Promise<void> {
  const key = contactKey(account.channel, recipient);
  await transact(db, async (trx, commit) => {
    const [, [places]] = await Promise.all([lockMoves(trx, [account]), findPlaces(trx, [{ account, key }])]);
    const { current, known } = places!;
    const keys = [key, current, ...known].flatMap((one) => contactKeys(account.channel, one));
    const ofPerson = sql`account_id = ${account.id}
      and (recipient = any (${keys}::text[]) or ${isUsernameOf(sql`recipient`, keys)})`;
    const { rows } = await sql<{ recipient: string }>`
      with held as (
        select account_id, recipient from consents where ${ofPerson} order by account_id, recipient for update
      )
      delete from consents where account_id = ${account.id} and recipient = any (array(select recipient from held))
      returning recipient`.execute(trx);
    // Statements of their own, because of suppressions that were committed while the first one waited for a lock.
    const lift = sql`delete from suppressions where ${ofPerson}`;
    const tell = sql`
      insert into consent_changes (id, tenant_id, account_id, recipient, status, source, changed_at)
      select uuidv7(), ${account.tenantId}, ${account.id}, recipient, 'removed', 'api', clock_timestamp()
      from unnest(${rows.map((row) => row.recipient)}::text[]) as r(recipient)`;
    await commit(Promise.all([lift.execute(trx), ...(rows.length > 0 ? [tell.execute(trx)] : [])]));
  });
}
