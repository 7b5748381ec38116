import { type Channel, highestId, lowestId, lowestIdAt } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { personKeys } from '../consents/recipient-key.ts';
import { type ConversationRow, readConversations, unreadOf } from './conversation.ts';

/** The conversations of a tenant to list. An undefined field matches all. */
export interface ConversationSearch {
  readonly tenantId: string;
  readonly channel?: Channel | undefined;
  readonly accountId?: string | undefined;
  /** Only conversations of these accounts. Null: all. */
  readonly accountIds?: readonly string[] | null;
  /** Only the conversations with this contact, in any spelling. */
  readonly contact?: string | undefined;
  /** Only conversations with unread messages, or only those without. */
  readonly unread?: boolean | undefined;
  /** Only conversations with this text in the contact's name, username or address, in any case. */
  readonly search?: string | undefined;
  /** Only conversations whose `latest_id` was made at this moment or later … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly until?: Date | undefined;
  /** Only conversations whose `latest_id` is lower. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface ConversationPage {
  readonly conversations: readonly ConversationRow[];
  /** The value of `before` that continues the list. Null when no conversation is left. */
  readonly next: string | null;
}

/**
 * The conversations with the newest messages first. A conversation that gets a message meanwhile moves to the front. No index
 * knows which ones are unread or have a text in their name: a page looks through the newest 1,000, so it may be short, or even
 * empty, before the last one.
 */
export async function listConversations(db: Db, search: ConversationSearch): Promise<ConversationPage> {
  const { limit } = search;
  if (search.unread !== undefined || search.search !== undefined) return sift(db, search);
  const { rows } = await readConversations(newestOf(search, limit + 1)).execute(db);
  const conversations = rows.slice(0, limit);
  return { conversations, next: rows.length > limit ? conversations.at(-1)!.latest_id : null };
}

/** How many conversations a page looks through for what no index knows. */
const maxLookedAt = 1_000;

/** A page of those that fit, among the newest ones. */
async function sift(db: Db, search: ConversationSearch): Promise<ConversationPage> {
  const { limit } = search;
  // The last one that was looked at is read as well: the next page continues after it.
  const { rows: looked } = await sql<{ id: string; latest_id: string; place: number; fits: boolean }>`
    select id, latest_id, place, fits from (
      select c.id, c.latest_id, row_number() over (order by c.latest_id desc)::int as place, ${fits(search)} as fits
      from (${newestOf(search, maxLookedAt)}) c
    ) c where fits or place = ${maxLookedAt} order by latest_id desc limit ${limit + 1}`.execute(db);
  const fitting = looked.filter((row) => row.fits);
  const shown = fitting.slice(0, limit);
  const last = fitting.length > limit ? shown.at(-1)! : looked.find(({ place }) => place === maxLookedAt);
  const ids = shown.map(({ id }) => id);
  const chosen = sql`select * from conversations where id = any (${ids}::uuid[])`;
  const { rows: conversations } = await readConversations(chosen).execute(db);
  return { conversations, next: last?.latest_id ?? null };
}

/** Whether the conversation `c` is one of those wanted, in SQL. */
function fits({ unread, search = '' }: ConversationSearch): RawBuilder<boolean> {
  const isUnread = sql`exists (select from ${unreadOf('c')})`;
  const isWanted = unread === undefined ? sql`true` : sql`${isUnread} = ${unread}::boolean`;
  if (search === '') return sql<boolean>`(${isWanted})`;
  // As people write numbers: with spaces, brackets and hyphens.
  const address = search.replaceAll(/[\s()./-]/g, '');
  return sql<boolean>`(${isWanted} and (
    ${has(sql`c.profile->>'name'`, search)} or ${has(sql`c.profile->>'username'`, search.replace(/^@/, ''))}
      or ${has(sql`c.address`, address)}
  ))`;
}

/** Whether a field has a text in it, in any case and in all scripts, whatever the collation of the database. In SQL. */
function has(field: RawBuilder<unknown>, part: string): RawBuilder<boolean> {
  if (part === '') return sql<boolean>`false`;
  const folded = (text: RawBuilder<unknown>) => sql`lower(${text} collate pg_c_utf8)`;
  return sql<boolean>`coalesce(position(${folded(sql`${part}::text`)} in ${folded(sql`(${field})`)}) > 0, false)`;
}

/** The newest `rows` of them by index, whatever they are called and whether they are read. */
function newestOf(
  { tenantId, channel, accountId, accountIds = null, contact, ...times }: ConversationSearch,
  rows: number,
): RawBuilder<unknown> {
  const isInRange = inRange(times);
  const withContact =
    contact === undefined
      ? sql``
      : sql`and contact = any (${personKeys(sql`a.id`, sql`a.channel`, contact)})`;
  if (accountId === undefined && accountIds === null && channel === undefined && contact === undefined)
    return sql`
      select * from conversations where tenant_id = ${tenantId}::uuid and ${isInRange}
      order by tenant_id desc, latest_id desc limit ${rows}`;
  // A tenant has few accounts, and each has its own conversations in order.
  return sql`
    select newest.* from channel_accounts a cross join lateral (
      select * from conversations where account_id = a.id and ${isInRange} ${withContact}
      order by account_id desc, latest_id desc limit ${rows}
    ) newest
    where a.tenant_id = ${tenantId}::uuid and coalesce(a.id = ${accountId ?? null}::uuid, true)
      and coalesce(a.channel = ${channel ?? null}::text, true)
      and coalesce(a.id = any (${accountIds === null ? null : [...accountIds]}::uuid[]), true)
    order by newest.latest_id desc limit ${rows}`;
}

/** Whether `latest_id` is in the range and before the page, in SQL: a range of the indexes. */
function inRange({
  from,
  until,
  before = highestId,
}: Pick<ConversationSearch, 'from' | 'until' | 'before'>): RawBuilder<boolean> {
  const first = from === undefined ? lowestId : lowestIdAt(from);
  const end = until === undefined ? highestId : lowestIdAt(until);
  return sql<boolean>`(latest_id >= ${first}::uuid and latest_id < ${before < end ? before : end}::uuid)`;
}

/** One conversation, or null when the tenant has none of that id. */
export async function findConversation(
  db: Db,
  tenantId: string,
  id: string,
): Promise<ConversationRow | null> {
  const chosen = sql`select * from conversations where id = ${id}::uuid and tenant_id = ${tenantId}::uuid`;
  return (await readConversations(chosen).execute(db)).rows[0] ?? null;
}
