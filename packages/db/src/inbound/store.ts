import type { Wake } from '@notify/core';
import { Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { int, jsonb, text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { lockMoves } from '../consents/lock-moves.ts';
import { recordConsents } from '../consents/record.ts';
import { insertBodies, webhooksToWake } from '../messages/insert-events.ts';
import { counted } from '../messages/loop-guard.ts';
import { type Answered, findAnswered } from './answered.ts';
import { findMoved, forgetMoves, lockConversations, moveContacts } from './moved.ts';
import { takeNumbers } from './numbered.ts';
import { usePairings } from './pairings.ts';
import { joinPieces, lockTexts, pieceKey } from './pieces.ts';
import type { NewlyReceived, StoredInbound } from './received.ts';
import { recognise, type Seen } from './seen.ts';
import { storable, type StorableInbound } from './storable.ts';
import { readWords } from './words.ts';

/** What became of the messages of a batch, and the webhooks with new work. */
export interface StoredBatch {
  /** In the order of the messages. */
  readonly results: readonly StoredInbound[];
  /** Webhooks with new work that are not paused. */
  readonly webhooks: readonly Wake[];
}

/**
 * Stores messages that people wrote, each with its conversation, its event and the event's deliveries, and new addresses
 * and consents of contacts, in one transaction: the caller's, or its own if `db` is a pool. A message that its account
 * has had before changes nothing. Messages of one batch keep their order.
 */
export function storeReceived(db: Db | Statements, received: NewlyReceived): Promise<StoredBatch> {
  if (!isPool(db)) return storeIn(db, received);
  return transact(db, async (trx, commit) => commit(Promise.resolve(await storeIn(trx, received))));
}

function isPool(db: Db | Statements): db is Db {
  return db instanceof Kysely && !db.isTransaction;
}

/**
 * The order of locks, which every batch keeps: texts in pieces, moves, ids, pairings, conversations, consents, deliveries.
 */
async function storeIn(trx: Statements, { inbound, moved, consents }: NewlyReceived): Promise<StoredBatch> {
  const items = inbound.map(storable);
  await lockTexts(trx, items);
  const accounts = [...inbound, ...moved, ...consents].map(({ account }) => account);
  const [, seen] = await Promise.all([
    lockMoves(trx, accounts, { toMove: moved.length > 0 }),
    recognise(trx, items),
  ]);
  const { joined, messageIds } = await joinPieces(trx, seen);
  const whole = seen.filter(({ item, isNew }) => isNew && item.piece === null);
  const fresh = [...whole, ...joined.map(({ text }) => text)];
  const [references, answered, , , carried] = await Promise.all([
    usePairings(trx, fresh),
    findAnswered(trx, fresh),
    lockConversations(trx, moved, fresh),
    forgetMoves(trx, fresh),
    moveContacts(trx, moved),
  ]);
  const addresses = await findMoved(trx, fresh);
  const received = fresh.map((one): Row => ({
    ...one,
    item: { ...one.item, ...addresses.get(one.messageId) },
    reference: references.get(one.messageId) ?? null,
    answered: answered.get(one.messageId) ?? null,
  }));
  const rows = await takeNumbers(trx, received);
  const [inserted, consented] = await Promise.all([
    insert(trx, rows),
    readWords(
      trx,
      rows.filter(({ reference }) => reference === null),
    ).then((words) => recordConsents(trx, [...carried, ...consents, ...words])),
  ]);
  const results = seen.map((one): StoredInbound => {
    const messageId = messageIds.get(pieceKey(one.item)) ?? one.messageId;
    if (references.has(messageId)) return { kind: 'paired' };
    if (messageIds.get(pieceKey(one.item)) === null) return { kind: 'waits' };
    return { kind: one.isNew ? 'stored' : 'repeated', messageId };
  });
  return { results, webhooks: [...inserted, ...consented] };
}

/** Stores texts that were put together without their last pieces. */
export async function insertInbound(
  trx: Statements,
  texts: readonly Seen<StorableInbound>[],
): Promise<Wake[]> {
  const accounts = texts.map(({ item }) => item.account);
  const [, answered, addresses] = await Promise.all([
    lockMoves(trx, accounts),
    findAnswered(trx, texts),
    findMoved(trx, texts),
  ]);
  return insert(
    trx,
    texts.map((one) => ({
      ...one,
      item: { ...one.item, ...addresses.get(one.messageId) },
      reference: null,
      answered: answered.get(one.messageId) ?? null,
    })),
  );
}

/** A message to insert. With the `reference` of a pairing, only its conversation and its event are inserted. */
interface Row extends Seen<StorableInbound> {
  readonly reference: string | null;
  /** The message that it answers. */
  readonly answered: Answered | null;
}

async function insert(trx: Statements, rows: readonly Row[]): Promise<Wake[]> {
  if (rows.length === 0) return [];
  const { rows: webhooks } = await sql<Wake>`
    with ${received(rows)}, ${messages}, ${touchedConversations}, ${linked}, ${insertBodies(events)}
    ${webhooksToWake}`.execute(trx);
  return webhooks;
}

function received(rows: readonly Row[]): RawBuilder<unknown> {
  const columns = unnestRows('u', rows, {
    id: uuid((one) => one.messageId),
    tenant_id: uuid(({ item }) => item.account.tenantId),
    account_id: uuid(({ item }) => item.account.id),
    channel: text(({ item }) => item.account.channel),
    sender: text(({ item }) => item.from),
    contact: text(({ item }) => item.contact),
    recipient: text(({ item }) => item.to),
    type: text(({ item }) => item.type),
    body: text(({ item }) => JSON.stringify(item.body)),
    profile: text(({ item }) => jsonOf(item.profile)),
    file: text(({ item }) => jsonOf(item.file)),
    external_id: text(({ item }) => item.externalId),
    sent_at: timestamptz(({ item }) => item.sentAt),
    reply_to: uuid(({ answered }) => answered?.id ?? null),
    reply_metadata: text(({ answered }) => jsonOf(answered?.metadata ?? null)),
    thread_id: int(({ item }) => item.threadId),
    pairing: jsonb((one) => (one.reference === null ? null : { reference: one.reference })),
  });
  return sql`received as materialized (select * from ${columns})`;
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Nothing is left to send, so they have no due row. */
const messages = sql`stored as (
      insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, external_id,
        emitted, expires_at, sent_at, delivered_at, received_at, sender, contact, file, reply_to)
      select id, tenant_id, account_id, channel, recipient, type,
        case when thread_id is null then body::json
          else (body::jsonb || jsonb_build_object('threadId', thread_id))::json end, false, 'delivered', external_id,
        '{received}', now(), sent_at, now(), now(), sender, profile::json, file::json, reply_to
      from received where pairing is null order by id
    )`;

/**
 * One row per contact, in the order of their keys, which is the order in which everybody locks conversations. The
 * provider's time opens the window for free text, as far as it has passed.
 */
const touchedConversations = sql`touched as (
      insert into conversations as c (id, tenant_id, account_id, channel, contact, address, profile, latest_id,
        last_inbound_at, burst_in, burst_began_at)
      select uuidv7(), * from (
        select distinct on (account_id, contact) tenant_id, account_id, channel, contact,
          first_value(sender) over (partition by account_id, contact order by id desc), profile::json,
          first_value(id) over (partition by account_id, contact order by id desc),
          max(least(coalesce(sent_at, now()), now())) over (partition by account_id, contact),
          count(*) over (partition by account_id, contact)::int, now()
        from received order by account_id, contact, profile is null, id desc
      ) newest order by account_id, contact
      on conflict (account_id, contact) do update set
        address = excluded.address, profile = coalesce(excluded.profile, c.profile),
        latest_id = greatest(c.latest_id, excluded.latest_id),
        last_inbound_at = greatest(c.last_inbound_at, excluded.last_inbound_at),
        ${counted(sql`excluded.burst_in`, sql`0`)}
      returning id, account_id, contact
    )`;

const linked = sql`linked as (
      insert into conversation_messages (conversation_id, message_id, inbound)
      select t.id, r.id, true from received r
      join touched t on t.account_id = r.account_id and t.contact = r.contact
      where r.pairing is null
    )`;

/** The JSON of an event of a message, with its topic if it has one, in SQL. */
function withThread(event: RawBuilder<string>): RawBuilder<string> {
  return sql`case when thread_id is null then ${event} else left(${event}, -1) || ',"threadId":' || thread_id || '}' end`;
}

const events = sql`
      select event_id, case when pairing is null then 'message.received' else 'contact.paired' end as event,
        case when pairing is null then 1 end as sequence, tenant_id, case when pairing is null then id end as message_id,
        case when pairing is null
          then body_of_answer(${withThread(sql`received_event_body(event_id, now(), id, tenant_id, account_id, channel, sender, recipient,
            type, body::json, profile::json, reply_to, external_id)`)}, reply_metadata)
          else contact_event_body(event_id, 'contact.paired', now(), tenant_id, account_id, channel, sender, pairing)
        end as body
      from (select *, uuidv7() as event_id from received order by id) r`;
