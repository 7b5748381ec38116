import { contactAddress, contactKey, contactKeys, shownAddress, type Wake } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { insertBodies, webhooksToWake } from '../messages/insert-events.ts';
import type { NewConsent } from './consent.ts';
import { lockMoves } from './lock-moves.ts';
import { findPlaces, forAddresses, type KeyedConsent } from './person.ts';
import { earlierKeyOf, isUsernameOf } from './recipient-key.ts';

/**
 * Records consents, in the order given, in the transaction of the caller. A consent that changes the status of its
 * recipient gets a row of history, an event and its deliveries. Claims obey every one that is not older than what the
 * recipient said before. It holds for all addresses of a person who has moved. Returns the webhooks with new
 * work. Locks rows of `consents` in the order of account and recipient. Every transaction locks them after its messages
 * and conversations.
 */
export async function recordConsents(trx: Statements, consents: readonly NewConsent[]): Promise<Wake[]> {
  const webhooks: Wake[] = [];
  const keyed = await addressed(trx, consents);
  await adoptSpellings(trx, keyed);
  for (const round of rounds(keyed)) {
    const held = await upsert(trx, round);
    if (held.length > 0) webhooks.push(...(await follow(trx, held)));
  }
  return webhooks;
}

/** Records consents, in the order given, in its own transaction. Returns the webhooks with new work. */
export async function storeConsents(db: Db, consents: readonly NewConsent[]): Promise<Wake[]> {
  if (consents.length === 0) return [];
  return transact(db, async (trx, commit) => {
    const webhooks = await recordConsents(trx, consents);
    await commit(Promise.resolve());
    return webhooks;
  });
}

/** The consents, each for all addresses that it concerns. Contacts of SMS accounts have one. */
async function addressed(trx: Statements, consents: readonly NewConsent[]): Promise<KeyedConsent[]> {
  const contacts = consents.map(({ account, recipient }) => ({
    account,
    key: contactKey(account.channel, recipient),
  }));
  if (consents.every(({ account }) => account.channel === 'sms'))
    return consents.map((one, index) => ({
      ...one,
      key: contacts[index]!.key,
      address: shownAddress('sms', one.recipient),
      isCurrent: true,
    }));
  const accounts = consents.map(({ account }) => account);
  const [, places] = await Promise.all([lockMoves(trx, accounts), findPlaces(trx, contacts)]);
  return forAddresses(consents, places);
}

/**
 * Gives rows that a process of the version before stored under another spelling of a person's number the key that this version
 * looks for, and removes those of a username with capitals. Does nothing for the numbers of most countries.
 */
async function adoptSpellings(trx: Statements, consents: readonly KeyedConsent[]): Promise<void> {
  const usernames = consents.map(({ key }) => key).filter((key) => key.startsWith('@'));
  if (usernames.length > 0)
    await sql`
      delete from consents where account_id = any (${consents.map((one) => one.account.id)}::uuid[])
        and ${isUsernameOf(sql`recipient`, usernames)} and recipient <> all (${usernames}::text[])`.execute(
      trx,
    );
  const spelled = consents.flatMap(({ account, key }) =>
    contactKeys(account.channel, key)
      .slice(1)
      .map((other) => ({ accountId: account.id, key, other })),
  );
  if (spelled.length === 0) return;
  const others = unnestRows('o', spelled, {
    account_id: uuid((one) => one.accountId),
    key: text((one) => one.key),
    other: text((one) => one.other),
  });
  const isOther = sql`c.account_id = o.account_id and c.recipient = o.other`;
  await sql`
    update consents c set recipient = o.key, address = coalesce(c.address, '+' || o.other) from ${others}
    where ${isOther} and not exists (
      select from consents u where u.account_id = o.account_id and u.recipient = o.key
    )`.execute(trx);
  await sql`delete from consents c using ${others} where ${isOther}`.execute(trx);
}

/** A consent of one round. */
interface RoundConsent extends KeyedConsent {
  /** Whether it is a start word, which is left out if nothing is known of the person. */
  readonly isOrdinary: boolean;
}

/**
 * Splits consents so that each part names an address once. Usually there is one part. All rows are locked by the first
 * one, in order. So a start word beside an opt-out of the same address is not left out, and of several start words only
 * the last counts: one that the first part leaves out must not lock its row later.
 */
function rounds(consents: readonly KeyedConsent[]): RoundConsent[][] {
  const lists = [...Map.groupBy(consents, ({ account, key }) => `${account.id} ${key}`).values()];
  const perAddress = lists.map((list) => {
    const isOrdinary = list.every(({ status, source }) => status === 'opted-in' && source === 'keyword');
    return (isOrdinary ? list.slice(-1) : list).map((one): RoundConsent => ({ ...one, isOrdinary }));
  });
  const most = Math.max(0, ...perAddress.map(({ length }) => length));
  return Array.from({ length: most }, (_, place) => perAddress.flatMap((list) => list[place] ?? []));
}

/** A consent behind its lock. */
interface HeldConsent extends KeyedConsent {
  /** The row of history to write; null if the status was the same before. */
  readonly changeId: string | null;
}

/**
 * Leaves out consents that are older than what their recipient said before, and start words of recipients of whom nothing
 * is known: to them "yes" is an ordinary word. A time in the future counts as now, so that no
 * wrong clock outlasts what is said later. A conflicting row is locked whether it changes or not (PostgreSQL, "INSERT"). Its id and time are drawn behind the lock,
 * so the history of a recipient is in order.
 */
async function upsert(trx: Statements, consents: readonly RoundConsent[]): Promise<HeldConsent[]> {
  const told = unnestRows('t', consents, {
    account_id: uuid((one) => one.account.id),
    recipient: text((one) => one.key),
    status: text((one) => one.status),
    source: text((one) => one.source),
    address: text((one) => one.address),
    said_at: timestamptz((one) => one.saidAt ?? null),
    is_ordinary: bool((one) => one.isOrdinary),
  });
  const isSame = sql`c.status = excluded.status`;
  const { rows } = await sql<{ account_id: string; recipient: string; change_id: string | null }>`
    insert into consents as c (account_id, recipient, address, tenant_id, status, source, change_id, changed_at, said_at)
    select t.account_id, t.recipient, t.address, a.tenant_id, t.status, t.source, uuidv7(), clock_timestamp(),
      least(t.said_at, case when t.said_at is not null then clock_timestamp() end)
    from ${told} join channel_accounts a on a.id = t.account_id
      and a.id = any (${consents.map((one) => one.account.id)}::uuid[])
    where not t.is_ordinary
      or exists (select from consents c where c.account_id = t.account_id and c.recipient = t.recipient)
      or exists (select from suppressions s
        where s.account_id = t.account_id and s.recipient = any (contact_keys(a.channel, t.recipient)))
    order by t.account_id, t.recipient
    on conflict (account_id, recipient) do update set
      status = excluded.status,
      address = coalesce(excluded.address, c.address),
      source = case when ${isSame} then c.source else excluded.source end,
      change_id = case when ${isSame} then c.change_id else uuidv7() end,
      changed_at = case when ${isSame} then c.changed_at else clock_timestamp() end,
      said_at = greatest(c.said_at, excluded.said_at)
    where coalesce(excluded.said_at >= c.said_at, true)
    returning account_id, recipient, case when old.status is distinct from new.status then new.change_id end as change_id`.execute(
    trx,
  );
  const held = new Map(rows.map((row) => [`${row.account_id} ${row.recipient}`, row.change_id]));
  return consents.flatMap((one) => {
    const changeId = held.get(`${one.account.id} ${one.key}`);
    return changeId === undefined ? [] : [{ ...one, changeId }];
  });
}

/**
 * Writes the consequences. `suppressions` has a row for each spelling of a number, and for a username as it was written, for
 * processes of the version before. It is made to agree even if the status is the same: a process of the version
 * before changes only that table. A separate statement: it must see the rows that another transaction committed while
 * this one waited for its lock.
 */
async function follow(trx: Statements, consents: readonly HeldConsent[]): Promise<Wake[]> {
  const lifted = consents.filter(({ key, status }) => status === 'opted-in' && key.startsWith('@'));
  const liftedCapitals = sql`
    lifted_capitals as (
      delete from suppressions s using told t
      where s.account_id = t.account_id and t.status = 'opted-in' and contact_key('telegram', s.recipient) = t.recipient
        and s.recipient <> t.recipient and s.account_id = any (${lifted.map((one) => one.account.id)}::uuid[])
        and ${isUsernameOf(
          sql`s.recipient`,
          lifted.map(({ key }) => key),
        )}
    ),`;
  const { rows } = await sql<Wake>`
    with told as (select * from ${tableOf(consents)}),
    changed as (select * from told where change_id is not null),
    history as (
      insert into consent_changes (id, tenant_id, account_id, recipient, status, source, message_id, note, changed_at)
      select change_id, tenant_id, account_id, recipient, status, source, message_id, note, (
        select changed_at from consents c where c.account_id = changed.account_id and c.recipient = changed.recipient
      ) from changed
    ),
    suppressed as (
      insert into suppressions (account_id, recipient)
      select distinct account_id, spelling from told cross join unnest(
        contact_keys(channel, recipient) || ${earlierKeyOf(sql`channel`, sql`address`)}
      ) k(spelling)
      where status = 'opted-out' and spelling is not null order by 1, 2
      on conflict do nothing
    ),
    lifted as (
      delete from suppressions s using told t
      where s.account_id = t.account_id and s.recipient = any (contact_keys(t.channel, t.recipient))
        and t.status = 'opted-in' and s.account_id = any (${consents.map((one) => one.account.id)}::uuid[])
        and s.recipient = any (${consents.flatMap((one) => contactKeys(one.account.channel, one.key))}::text[])
    ),${lifted.length === 0 ? sql`` : liftedCapitals}
    ${insertBodies(events)}
    ${webhooksToWake}`.execute(trx);
  return rows;
}

const events = sql`
      select event_id, event, null::int as sequence, tenant_id, null::uuid as message_id,
        contact_event_body(event_id, event, now(), tenant_id, account_id, channel, address,
          jsonb_build_object('source', source)) as body
      from (select *, 'contact.' || status as event, uuidv7() as event_id from changed where is_current) changed`;

function tableOf(consents: readonly HeldConsent[]): RawBuilder<unknown> {
  return unnestRows('told', consents, {
    change_id: uuid((one) => one.changeId),
    tenant_id: uuid((one) => one.account.tenantId),
    account_id: uuid((one) => one.account.id),
    channel: text((one) => one.account.channel),
    recipient: text((one) => one.key),
    address: text((one) => one.address ?? contactAddress(one.account.channel, one.key)),
    status: text((one) => one.status),
    source: text((one) => one.source),
    message_id: uuid((one) => one.messageId),
    note: text((one) => one.note ?? null),
    is_current: bool((one) => one.isCurrent),
  });
}
