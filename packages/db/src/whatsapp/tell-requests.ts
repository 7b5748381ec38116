import { randomUUIDv7 } from 'node:crypto';
import type { ChatState, NotToldReason } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { hasOwner } from '../ownership/partitions.ts';

/** What a linked device is to tell a person. */
export interface NewTellRequest {
  readonly accountId: string;
  readonly state: ChatState;
  /** The person, as `to` of a send. */
  readonly to: string;
  /** WhatsApp's ids of messages that the person wrote, the newest first. */
  readonly externalIds: readonly string[];
}

export interface TellRequestRow extends NewTellRequest {
  readonly id: string;
}

/** What came of a request: `delivered`, or why not. */
export type TellResult = 'delivered' | NotToldReason;

/** The most requests that a process looks at, and so takes, at once. */
const atOnce = 200;
/** How long after its end a request whose asker is gone is kept, in seconds. */
const forgottenSeconds = 10;

/**
 * Asks the process that holds the account's device. Nobody takes the request after `withinMs`. Returns its id; null if no
 * process of linked devices runs.
 */
export async function requestTell(db: Db, request: NewTellRequest, withinMs: number): Promise<string | null> {
  const id = randomUUIDv7();
  const { accountId, state, to, externalIds } = request;
  const { rows } = await sql`
    insert into tell_requests (id, account_id, state, recipient, external_ids, drop_at)
    select ${id}::uuid, ${accountId}::uuid, ${state}::text, ${to}::text, ${[...externalIds]}::text[],
      now() + make_interval(secs => ${withinMs / 1_000}::float8)
    where ${hasOwner('whatsapp-web')}
    returning id`.execute(db);
  return rows.length === 0 ? null : id;
}

/** What has come of a request. Null while nothing has. */
export async function readTellResult(db: Db, id: string): Promise<TellResult | null> {
  const { rows } = await sql<{ result: TellResult | null }>`
    select result from tell_requests where id = ${id}::uuid`.execute(db);
  return rows[0]?.result ?? null;
}

/** Removes a request. If no process has taken it, none will. */
export async function endTellRequest(db: Db, id: string): Promise<void> {
  await sql`delete from tell_requests where id = ${id}::uuid`.execute(db);
}

/** Requests that no process has taken, oldest first. */
export async function openTellRequests(db: Db): Promise<TellRequestRow[]> {
  const { rows } = await sql<TellRequestRow>`
    select id, account_id as "accountId", state, recipient as "to", external_ids as "externalIds"
    from tell_requests where holder is null and drop_at > now() order by id limit ${atOnce}`.execute(db);
  return rows;
}

/** Takes requests for this process. Returns the ids of those that it got: each is taken once, and never after its end. */
export async function takeTellRequests(db: Db, holder: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update tell_requests set holder = ${holder}::uuid
    where id = any (${[...ids]}::uuid[]) and holder is null and drop_at > now() returning id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Tells the asker what has come of a request. */
export async function answerTellRequest(
  db: Db,
  holder: string,
  id: string,
  result: TellResult,
): Promise<void> {
  await sql`
    update tell_requests set result = ${result}::text where id = ${id}::uuid and holder = ${holder}::uuid`.execute(
    db,
  );
}

/** Removes requests whose asker is gone. Returns their number. */
export async function dropForgottenTells(db: Db): Promise<number> {
  const { rows } = await sql`
    delete from tell_requests where drop_at < now() - make_interval(secs => ${forgottenSeconds}::int)
    returning id`.execute(db);
  return rows.length;
}
