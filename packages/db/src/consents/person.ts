import { contactAddress, contactKey, shownAddress } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';
import type { ConsentSource } from '../schema/inbound-tables.ts';
import type { ConsentAccount, NewConsent } from './consent.ts';
import { addressesOf } from './recipient-key.ts';

/** A consent and the key of one address of its person. */
export interface KeyedConsent extends NewConsent {
  readonly key: string;
  /** That address in the spelling in which it is known. Null if the spelling that is stored with the key shall stay. */
  readonly address: string | null;
  /** Whether the person is reached there, so that a change is an event. False for an address from before a move. */
  readonly isCurrent: boolean;
}

/** An address of a contact, as it is stored. */
interface Contact {
  readonly account: ConsentAccount;
  readonly key: string;
  /** The address of the key, if its spelling matters. */
  readonly address?: string;
}

/** Where the contacts `t` are reached now (`current`), and the keys that they had before (`earlier`), in SQL. */
function placesOf(contacts: readonly Contact[]): RawBuilder<unknown> {
  const told = unnestRows(
    't',
    contacts,
    {
      account_id: uuid((one) => one.account.id),
      channel: text((one) => one.account.channel),
      key: text((one) => one.key),
    },
    'ordinal',
  );
  return sql`(
      select p.*, array(
        select v.contact from moved_contacts v
        where v.account_id = p.account_id and v.address = any (${addressesOf(sql`p.channel`, sql`p.current`)})
      ) as earlier
      from (
        select t.*, v.address as moved_to, coalesce(contact_key(t.channel, v.address), t.key) as current
        from ${told}
        left join moved_contacts v on v.account_id = t.account_id and v.contact = t.key
      ) p
    )`;
}

/** Where a contact is reached, and the keys of that person before. */
export interface Places {
  readonly current: string;
  /** The address of `current`, if the contact has moved. */
  readonly movedTo: string | null;
  readonly earlier: readonly string[];
  /** Those of the earlier ones of which a consent is known. */
  readonly known: readonly string[];
}

/** The places of contacts, in their order. The caller has locked the moves of the accounts. */
export async function findPlaces(trx: Statements, contacts: readonly Contact[]): Promise<Places[]> {
  const { rows } = await sql<Places>`
    select p.current, p.moved_to as "movedTo", p.earlier, array(
      select key from unnest(p.earlier) as e(key)
      where exists (select from consents c where c.account_id = p.account_id and c.recipient = key)
        or exists (select from suppressions s where s.account_id = p.account_id and s.recipient = key)
    ) as known
    from ${placesOf(contacts)} p order by p.ordinal`.execute(trx);
  return rows;
}

/**
 * What is said of a person, for each of the addresses that it concerns. It is recorded for the address that it names and
 * for the one where the person is now. An opt-in also lifts the opt-outs of earlier addresses. An opt-out need not be
 * noted there, because claims look where a message goes; and an earlier address may belong to somebody else later.
 */
export function forAddresses(consents: readonly NewConsent[], places: readonly Places[]): KeyedConsent[] {
  const keys = consents.map((one) => contactKey(one.account.channel, one.recipient));
  const named = new Set(consents.map((one, index) => `${one.account.id} ${keys[index]}`));
  return consents.flatMap((one, index) => {
    const { account, recipient } = one;
    const { current, movedTo, earlier, known } = places[index]!;
    const lifted =
      one.status === 'opted-out'
        ? []
        : earlier.filter((key) => known.includes(key) || named.has(`${one.account.id} ${key}`));
    return [...new Set([keys[index]!, current, ...lifted])].map((key) => ({
      ...one,
      key,
      address:
        key === keys[index] ? shownAddress(account.channel, recipient) : key === current ? movedTo : null,
      isCurrent: key === current,
    }));
  });
}

interface Carried {
  readonly place: number;
  readonly current: string;
  readonly status: NewConsent['status'];
  readonly source: ConsentSource;
  readonly message_id: string | null;
  readonly said_at: Date | null;
}

/**
 * The newest that is known of contacts who have moved, under any of their addresses, as said at the new one. The moves are
 * stored, and `contacts` are their new keys.
 */
export async function findCarried(trx: Statements, contacts: readonly Contact[]): Promise<NewConsent[]> {
  if (contacts.length === 0) return [];
  const { rows } = await sql<Carried>`
    select distinct on (p.account_id, p.current) p.ordinal::int as place, p.current, said.status, said.source,
      said.message_id, max(said.said_at) over (partition by p.account_id, p.current) as said_at
    from ${placesOf(contacts)} p cross join lateral (
      select status, source, changed_at, said_at,
        (select message_id from consent_changes h where h.id = c.change_id) as message_id
      from consents c where c.account_id = p.account_id and c.recipient = any (p.current || p.earlier)
      union all
      select 'opted-out', 'earlier', created_at, null, null from suppressions s
      where s.account_id = p.account_id and s.recipient = any (p.current || p.earlier) and not exists (
        select from consents c
        where c.account_id = s.account_id and c.recipient = s.recipient and c.status = 'opted-out'
      )
    ) said
    order by p.account_id, p.current, said.changed_at desc`.execute(trx);
  return rows.map(({ place, current, status, source, message_id: messageId, said_at: saidAt }) => {
    const { account, key, address } = contacts[place - 1]!;
    const recipient = (key === current ? address : null) ?? contactAddress(account.channel, current);
    return { account, recipient, status, source, messageId, saidAt };
  });
}
