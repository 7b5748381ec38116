import { type Channel, contactKey, contactKeys, scrub } from '@notify/core';
import { sql } from 'kysely';
import { text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import { findCarried } from '../consents/person.ts';
import type { NewConsent } from '../consents/consent.ts';
import { moveNumbers } from './numbered.ts';
import type { NewMove } from './received.ts';
import type { Seen } from './seen.ts';
import type { StorableInbound } from './storable.ts';

const maxAddressLength = 256;

/** Where a contact is now. */
export interface MovedTo {
  readonly from: string;
  readonly contact: string;
}

/** The new addresses of the contacts that have moved, by the ids of their messages: one from before may come later. */
export async function findMoved(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<Map<string, MovedTo>> {
  if (messages.length === 0) return new Map();
  const written = unnestRows('w', messages, {
    message_id: uuid((one) => one.messageId),
    account_id: uuid(({ item }) => item.account.id),
    contact: text(({ item }) => item.contact),
  });
  const { rows } = await sql<{ message_id: string; address: string }>`
    select w.message_id, m.address from ${written}
    join moved_contacts m on m.account_id = w.account_id and m.contact = w.contact`.execute(trx);
  const addresses = new Map(rows.map((row) => [row.message_id, row.address]));
  return new Map(
    messages.flatMap(({ messageId, item }) => {
      const from = addresses.get(messageId);
      return from === undefined
        ? []
        : [[messageId, { from, contact: contactKey(item.account.channel, from) }]];
    }),
  );
}

/**
 * Forgets the moves of people who wrote from their old address afterwards: the phone number belongs to somebody else now,
 * or to them again. A Telegram group never returns to its old id, and a pair that the provider told stays true.
 */
export async function forgetMoves(
  trx: Statements,
  messages: readonly Seen<StorableInbound>[],
): Promise<void> {
  const later = messages.filter(({ item }) => item.account.channel === 'whatsapp' && item.sentAt !== null);
  if (later.length === 0) return;
  const written = unnestRows('w', later, {
    account_id: uuid(({ item }) => item.account.id),
    contact: text(({ item }) => item.contact),
    sent_at: timestamptz(({ item }) => item.sentAt),
  });
  await sql`
    with gone as (
      select m.account_id, m.contact from moved_contacts m
      join ${written} on m.account_id = w.account_id and m.contact = w.contact and m.moved_at < w.sent_at
      where m.contact = any (${later.map(({ item }) => item.contact)}::text[]) and not m.told
      order by m.account_id, m.contact for update of m
    )
    delete from moved_contacts m using gone
    where m.account_id = gone.account_id and m.contact = gone.contact`.execute(trx);
}

/** The account and the key of a contact. */
interface Contact {
  readonly accountId: string;
  readonly channel: Channel;
  readonly contact: string;
}

/**
 * Locks the conversations that a batch with moves touches, in the order in which everybody locks conversations. `lockMoves`
 * holds the accounts, so none is added meanwhile.
 */
export async function lockConversations(
  trx: Statements,
  moved: readonly NewMove[],
  messages: readonly Seen<StorableInbound>[],
): Promise<void> {
  if (moved.length === 0) return;
  const contacts = [
    ...messages.map(({ item }): Contact => ({
      accountId: item.account.id,
      channel: item.account.channel,
      contact: item.contact,
    })),
    ...moved.flatMap(({ account, from, to }) =>
      [from, scrub(to, maxAddressLength)].map((address): Contact => ({
        accountId: account.id,
        channel: account.channel,
        contact: contactKey(account.channel, address),
      })),
    ),
  ];
  const keys = unnestRows('k', contacts, {
    account_id: uuid((one) => one.accountId),
    channel: text((one) => one.channel),
    contact: text((one) => one.contact),
  });
  await sql`
    with keys as (select * from ${keys}),
    places as (
      select account_id, contact from keys
      union
      select m.account_id, contact_key(k.channel, m.address) from keys k
      join moved_contacts m on m.account_id = k.account_id and m.contact = k.contact
    )
    select from conversations c join places p on p.account_id = c.account_id and p.contact = c.contact
    order by c.account_id, c.contact for update of c`.execute(trx);
}

/**
 * Notes the new addresses of contacts. Sends to the old address go to the new one from then on, and the conversation goes
 * on under the new one, as does the wait for numbers. If that has its own conversation, its messages join the older conversation.
 * Returns the newest consent of each contact under any address, to be recorded under the new one.
 */
export async function moveContacts(trx: Statements, moved: readonly NewMove[]): Promise<NewConsent[]> {
  for (const { account, from, to, told = false } of moved) {
    const address = scrub(to, maxAddressLength);
    const [before, after] = [from, address].map((one) => contactKey(account.channel, one)) as [
      string,
      string,
    ];
    if (before === after) continue;
    const spelled = contactKeys(account.channel, before).flatMap((key) => [key, `+${key}`]);
    await sql`
      insert into moved_contacts (account_id, contact, address, told)
      values (${account.id}, ${before}, ${address}, ${told})
      on conflict (account_id, contact) do update
        set address = excluded.address, told = excluded.told, moved_at = now()`.execute(trx);
    // A contact that moves again. One that moves back is reached under its first address.
    await sql`
      update moved_contacts set address = ${address}, told = told and ${told}::boolean
      where account_id = ${account.id} and address = any (${spelled}::text[])`.execute(trx);
    await sql`delete from moved_contacts where account_id = ${account.id} and contact = ${after}`.execute(
      trx,
    );
    await moveConversation(trx, account.id, before, { contact: after, address });
    await moveNumbers(trx, account.id, { before, after });
  }
  return findCarried(
    trx,
    moved.map(({ account, to }) => {
      const address = scrub(to, maxAddressLength);
      return { account, key: contactKey(account.channel, address), address };
    }),
  );
}

async function moveConversation(
  trx: Statements,
  accountId: string,
  before: string,
  { contact, address }: { readonly contact: string; readonly address: string },
): Promise<void> {
  const { rows } = await sql<{ id: string; contact: string }>`
    select id, contact from conversations where account_id = ${accountId} and contact in (${before}, ${contact})
    order by account_id, contact for update`.execute(trx);
  const older = rows.find((row) => row.contact === before);
  const newer = rows.find((row) => row.contact === contact);
  if (older === undefined) return;
  if (newer !== undefined) await joinConversation(trx, older.id, newer.id);
  await sql`
    update conversations set contact = ${contact}, address = ${address} where id = ${older.id}`.execute(trx);
}

async function joinConversation(trx: Statements, into: string, from: string): Promise<void> {
  await sql`
    insert into conversation_messages (conversation_id, message_id, inbound)
    select ${into}, message_id, inbound from conversation_messages where conversation_id = ${from}
    on conflict do nothing`.execute(trx);
  await sql`delete from conversation_messages where conversation_id = ${from}`.execute(trx);
  await sql`
    with gone as (delete from conversations where id = ${from} returning *)
    update conversations c set
      latest_id = greatest(c.latest_id, gone.latest_id),
      last_inbound_at = greatest(c.last_inbound_at, gone.last_inbound_at),
      read_through = greatest(c.read_through, gone.read_through),
      burst_began_at = greatest(c.burst_began_at, gone.burst_began_at),
      burst_in = greatest(c.burst_in, gone.burst_in),
      burst_out = greatest(c.burst_out, gone.burst_out),
      slow_until = greatest(c.slow_until, gone.slow_until),
      next_send_at = greatest(c.next_send_at, gone.next_send_at),
      profile = coalesce(gone.profile, c.profile)
    from gone where c.id = ${into}`.execute(trx);
}
