import {
  type Channel,
  type InteractiveBody,
  judgeWords,
  mayAnswer,
  numberedHours,
  numberIn,
  pressedBy,
} from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { lockMoves } from '../consents/lock-moves.ts';
import type { Answered } from './answered.ts';
import type { Seen } from './seen.ts';
import type { StorableInbound } from './storable.ts';

/** A message that a number answers, and whose number. */
export interface Numbered {
  readonly account: { readonly id: string; readonly channel: Channel };
  /** The key of the contact. */
  readonly contact: string;
  readonly messageId: string;
}

/**
 * Has a number of the contact answer the message, from now on for a day, also if the contact has moved or will. Call it before the message
 * is sent.
 */
export async function expectNumber(db: Db, numbered: Numbered): Promise<void> {
  await transact(db, async (trx, commit) => {
    const { account, messageId } = numbered;
    const locked = lockMoves(trx, [account]);
    const noted = sql`
      insert into numbered_messages (account_id, contact, message_id)
      select ${account.id}::uuid, ${whereIs(numbered)}, ${messageId}::uuid
      where exists (select from channel_accounts where id = ${account.id}::uuid)
      on conflict (account_id, contact, message_id) do update set sent_at = now()`.execute(trx);
    await commit(Promise.all([locked, noted]));
  });
}

/** Takes that back, because the message was not sent. */
export async function forgetNumber(db: Db, numbered: Numbered): Promise<void> {
  const { account, contact, messageId } = numbered;
  await sql`
    delete from numbered_messages
    where account_id = ${account.id}::uuid and contact in (${contact}, ${whereIs(numbered)})
      and message_id = ${messageId}::uuid`.execute(db);
}

/** The key under which the contact writes now, in SQL. */
function whereIs({ account, contact }: Numbered): RawBuilder<string> {
  return sql`coalesce((
      select contact_key(${account.channel}, address) from moved_contacts
      where account_id = ${account.id}::uuid and contact = ${contact}
    ), ${contact})`;
}

/** Has numbers from the new address answer what a contact was asked at the old one. */
export async function moveNumbers(
  trx: Statements,
  accountId: string,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<void> {
  await sql`
    with gone as (
      delete from numbered_messages where account_id = ${accountId} and contact = ${before} returning message_id, sent_at
    )
    insert into numbered_messages (account_id, contact, message_id, sent_at)
    select ${accountId}::uuid, ${after}, message_id, sent_at from gone
    on conflict (account_id, contact, message_id) do nothing`.execute(trx);
}

/** A received message, as it is to be stored. */
interface Received extends Seen<StorableInbound> {
  /** Set if a pairing link brought it. */
  readonly reference: string | null;
  readonly answered: Answered | null;
}

interface Open extends Answered {
  readonly body: InteractiveBody;
}

/** A message that waits for a number. */
interface Waiting {
  readonly account_id: string;
  readonly contact: string;
  readonly message_id: string;
  readonly sent_at: Date;
}

/**
 * Makes presses of numbers that answer a numbered message. A number answers the newest one to its contact that may have arrived, and had been
 * sent when the number was written, within a day. The answer closes that one and all older ones. A word of consent stays one, a number
 * that stands for nothing stays a text, and so does one that quotes another message.
 */
export async function takeNumbers<R extends Received>(trx: Statements, rows: readonly R[]): Promise<R[]> {
  const numbers = rows.filter((row) => row.reference === null && numberOf(row.item) !== null);
  if (numbers.length === 0) return [...rows];
  const waiting = await lockWaiting(trx, numbers);
  const open = await readOpen(trx, waiting);
  const left = Map.groupBy(waiting, (one) => nameOf(one.account_id, one.contact));
  const pressed = rows.map((row) => {
    const number = row.reference === null ? numberOf(row.item) : null;
    const name = nameOf(row.item.account.id, row.item.contact);
    const asked = left.get(name) ?? [];
    const at = asked.findIndex((one) => mayAnswer(row.item.sentAt, one.sent_at) && open.has(one.message_id));
    if (number === null || at === -1) return row;
    const { id, metadata, body: question } = open.get(asked[at]!.message_id)!;
    const choice = pressedBy(question.interactive, number);
    if (choice === null || (row.answered !== null && row.answered.id !== id)) return row;
    left.set(name, asked.slice(0, at));
    const body = { ...row.item.body, payload: choice.id };
    return { ...row, item: { ...row.item, type: 'button', body }, answered: { id, metadata } };
  });
  const kept = new Set([...left.values()].flat());
  await removeAnswered(
    trx,
    waiting.filter((one) => !kept.has(one)),
  );
  return pressed;
}

/** The number that a text consists of, if it may be an answer. */
function numberOf({ type, body, account, message }: StorableInbound): number | null {
  if (type !== 'text' || !('text' in body) || message.consent !== undefined) return null;
  const said = String(body.text);
  return judgeWords(said, account.keywords) === null ? numberIn(said) : null;
}

/** The messages that wait for numbers of these contacts, the newest first. Locks them, so that each is answered once. */
async function lockWaiting(trx: Statements, numbers: readonly Received[]): Promise<Waiting[]> {
  const contacts = new Map(numbers.map(({ item }) => [nameOf(item.account.id, item.contact), item] as const));
  const asked = unnestRows('a', [...contacts.values()], {
    account_id: uuid((item) => item.account.id),
    contact: text((item) => item.contact),
  });
  const { rows } = await sql<Waiting>`
    with locked as (
      select n.account_id, n.contact, n.message_id, n.sent_at from numbered_messages n
      join ${asked} on a.account_id = n.account_id and a.contact = n.contact
      where n.sent_at > now() - make_interval(hours => ${sql.lit(numberedHours)})
      order by n.account_id, n.contact, n.message_id for update of n
    )
    select * from locked order by sent_at desc, message_id desc`.execute(trx);
  return rows;
}

/** Those that may have arrived, by id. */
async function readOpen(trx: Statements, waiting: readonly Waiting[]): Promise<Map<string, Open>> {
  if (waiting.length === 0) return new Map();
  const { rows } = await sql<Open>`
    select id, body, metadata from messages
    where id = any (${waiting.map((one) => one.message_id)}::uuid[])
      and type = 'interactive' and (status <> 'failed' or error_code = 'outcome-unknown')`.execute(trx);
  return new Map(rows.map((row) => [row.id, row]));
}

async function removeAnswered(trx: Statements, answered: readonly Waiting[]): Promise<void> {
  if (answered.length === 0) return;
  const gone = unnestRows('g', answered, {
    account_id: uuid((one) => one.account_id),
    contact: text((one) => one.contact),
    message_id: uuid((one) => one.message_id),
  });
  await sql`
    delete from numbered_messages n using ${gone}
    where n.account_id = g.account_id and n.contact = g.contact and n.message_id = g.message_id`.execute(trx);
}

function nameOf(accountId: string, contact: string): string {
  return `${accountId} ${contact}`;
}
