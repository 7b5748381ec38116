import {
  type Channel,
  type ContactProfile,
  type InboundBody,
  type MessageBody,
  type MessageType,
  scrub,
} from '@notify/core';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { Database } from '../schema/tables.ts';
import { isLive } from '../tenants/is-live.ts';

/** A message as its row is now. */
export interface MessageRow extends Selectable<
  Omit<
    Database['messages'],
    'body' | 'contact' | 'file' | 'reports' | 'resend_of' | 'resent_as' | 'traceparent'
  >
> {
  readonly body: MessageBody | InboundBody;
  readonly contact: ContactProfile | null;
}

/** A message that the tenant sent. */
export interface OutboundRow extends MessageRow {
  readonly type: MessageType;
  readonly body: MessageBody;
}

/** Whether the tenant sent the message. Otherwise it received it. */
export function isOutbound(message: MessageRow): message is OutboundRow {
  return message.received_at === null;
}

/** All columns by name, because a statement with `*` cannot be prepared (`prepared.ts`). */
export const messageColumns = sql`id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, external_id,
  error, error_code, segments, parts, delivered_parts, emitted, possible_duplicate, attempts,
  created_at, updated_at, expires_at, scheduled_at, urgent, postponed_ms, sent_at, delivered_at, read_at, failed_at, received_at, sender, contact, reply_to, group_id, api_key_id, idempotency_key, metadata, tags`;

/** A request for one message by the holder of an API key. */
export interface LookUp {
  readonly tenantId: string;
  readonly keyId: string;
  /** The only accounts whose messages the key sees. Null: all messages of the tenant. */
  readonly accountIds: readonly string[] | null;
  readonly messageId: string;
}

/** Null when the tenant has no message of that id, or the key does not see it. */
export type LookedUp = MessageRow | null | 'key-revoked';

/**
 * Looks up messages for the holders of API keys, in the order asked. Checks the keys too: for one that has ended the
 * answer is `key-revoked`. Uses `any`, which costs a fifth of a join, because a join walks the partitions again for every row.
 */
export async function findMessages(db: Db, lookUps: readonly LookUp[]): Promise<LookedUp[]> {
  const [held, found] = await Promise.all([
    holdersOf(
      db,
      lookUps.map((one) => one.keyId),
    ),
    messagesOf(db, lookUps),
  ]);
  return lookUps.map(({ tenantId, keyId, accountIds, messageId }) => {
    if (held.get(keyId) !== tenantId) return 'key-revoked';
    const message = found.get(messageId);
    return message?.tenant_id === tenantId && isSeen(message, accountIds) ? message : null;
  });
}

/** Whether a key for these accounts sees the message. Only a key for all accounts sees one without an account. */
function isSeen({ channel_account_id: id }: MessageRow, accountIds: readonly string[] | null): boolean {
  return accountIds === null || (id !== null && accountIds.includes(id));
}

/** The tenants of those keys that have not ended, by key. */
async function holdersOf(db: Db, keyIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; tenant_id: string }>`
    select id, tenant_id from api_keys k
    where id = any (${[...new Set(keyIds)]}::uuid[]) and ${isLive('k')}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.tenant_id]));
}

async function messagesOf(db: Db, lookUps: readonly LookUp[]): Promise<Map<string, MessageRow>> {
  const ids = new Set(lookUps.map((one) => one.messageId));
  const tenants = new Set(lookUps.map((one) => one.tenantId));
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages where id = any (${[...ids]}::uuid[]) and tenant_id = any (${[...tenants]}::uuid[])`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The tenant's messages of these ids, as far as they exist, in the order of the ids. */
export async function findMessagesOf(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<MessageRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[])`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Messages of a page. */
export interface FittingMessages {
  readonly messages: readonly MessageRow[];
  /** The id of the last message, if the page ended before the others because of their size. Else null. */
  readonly endedAt: string | null;
}

/** The bytes of contents after which a page of messages ends, because thousands may be read at once. */
const pageBytes = 4_000_000;

/** As `findMessagesOf`, until the contents have 4 MB: at least the first message. */
export async function findFittingMessages(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<FittingMessages> {
  if (ids.length === 0) return { messages: [], endedAt: null };
  const { rows } = await sql<MessageRow & { readonly bytes: number }>`
    select ${messageColumns}, bytes from (
      select *, sum(bytes) over (order by array_position(${ids}::uuid[], id)) as total from (
        select ${messageColumns}, octet_length(body::text) + coalesce(octet_length(contact::text), 0) as bytes
        from messages where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[])
      ) found
    ) sized where total - bytes < ${pageBytes}`.execute(db);
  const total = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const messages = ids.flatMap((id) => byId.get(id) ?? []).map(withoutBytes);
  const last = messages.at(-1)?.id ?? null;
  return { messages, endedAt: total >= pageBytes && last !== ids.at(-1) ? last : null };
}

function withoutBytes(sized: MessageRow & { readonly bytes: number }): MessageRow {
  const { bytes: _, ...row } = sized;
  return row;
}

/** A message that an answer may quote. */
export interface Quotable {
  readonly accountId: string;
  readonly channel: Channel;
  /** Whether the person to whom the answer goes wrote it or was to get it, perhaps under an earlier address. */
  readonly isOfRecipient: boolean;
}

/** A request for a message that a send wants to answer. */
export interface QuoteLookUp extends Pick<LookUp, 'tenantId' | 'messageId'> {
  /** The recipient of the send, not yet checked: any text. */
  readonly to: string;
}

interface QuotableRow {
  readonly ordinal: string;
  readonly tenant_id: string;
  readonly account_id: string;
  readonly channel: Channel;
  readonly is_of_recipient: boolean;
}

/** Longer than any address. */
const maxAddressLength = 256;

/**
 * The messages that sends want to answer, in the order asked. Null when the tenant has no message of that id, or it has
 * no account. A message keeps the address of its time. So one of a person who has moved since is found by the move, or by
 * the conversation that it is in.
 */
export async function findQuotables(db: Db, lookUps: readonly QuoteLookUp[]): Promise<(Quotable | null)[]> {
  const asked = unnestRows(
    'a',
    lookUps,
    { message_id: uuid((one) => one.messageId), recipient: text((one) => scrub(one.to, maxAddressLength)) },
    'ordinal',
  );
  const { rows } = await sql<QuotableRow>`
    with quoted as materialized (
      select id, tenant_id, channel_account_id as account_id, channel, coalesce(sender, recipient) as address
      from messages
      where id = any (${lookUps.map((one) => one.messageId)}::uuid[])
        and tenant_id = any (${lookUps.map((one) => one.tenantId)}::uuid[]) and channel_account_id is not null
    ),
    keyed as (
      select q.*, a.ordinal, ${keyOf(sql`q.address`)} as key, ${keyOf(sql`a.recipient`)} as recipient
      from ${asked} join quoted q on q.id = a.message_id
    ),
    placed as (
      select q.*, ${placeOf(sql`q.key`)} as place, ${placeOf(sql`q.recipient`)} as recipient_place from keyed q
    )
    select ordinal, tenant_id, account_id, channel, key = recipient or place = recipient_place or exists (
      select from conversations c
      join conversation_messages m on m.conversation_id = c.id and m.message_id = q.id
      where c.account_id = q.account_id and c.contact = q.recipient_place
    ) as is_of_recipient
    from placed q`.execute(db);
  const byPlace = new Map(rows.map((row) => [Number(row.ordinal), row]));
  return lookUps.map(({ tenantId }, index) => {
    const row = byPlace.get(index + 1);
    if (row?.tenant_id !== tenantId) return null;
    return { accountId: row.account_id, channel: row.channel, isOfRecipient: row.is_of_recipient };
  });
}

/** The key of an address of the channel of `q`, in SQL. `contactKey` of core is the same rule. */
function keyOf(address: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`contact_key(q.channel, ${address})`;
}

/** Where the contact of the account of `q` is reached now, in SQL. */
function placeOf(key: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`coalesce((
        select ${keyOf(sql`v.address`)} from moved_contacts v
        where v.account_id = q.account_id and v.contact = ${key}
      ), ${key})`;
}
