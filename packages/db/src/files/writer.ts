import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { FileFailure } from './failure.ts';

/** How long a claimed request waits for a sign of its writer, in seconds. */
const heldSeconds = 15;

/** A request that this process is to serve. */
export interface FileRequest {
  readonly id: string;
  readonly accountId: string;
  /** The account's; the account's own id if it was removed. */
  readonly tenantId: string;
  readonly file: unknown;
}

/** How many requests a process takes. */
export interface ClaimLimits {
  /** Of tenants that it serves none for. */
  readonly first: number;
  /** Of such tenants, if the request has waited for a second: until then it is left to processes with free places. */
  readonly firstLate: number;
  /** Of all tenants, those included. */
  readonly all: number;
  /** The most that it serves for one tenant. */
  readonly perTenant: number;
}

/**
 * Takes requests that no process serves. Tenants that the process serves the least for come first, then the oldest requests. A
 * request is taken once, unless it is given back.
 */
export async function claimRequests(
  db: Db,
  holder: string,
  { first, firstLate, all, perTenant }: ClaimLimits,
): Promise<FileRequest[]> {
  const { rows } = await sql<FileRequest>`
    with open as (
      select r.id, r.holder, coalesce(a.tenant_id, r.account_id) as tenant_id
      from file_requests r left join channel_accounts a on a.id = r.account_id
      where (r.holder is null or r.holder = ${holder}) and not r.ended and r.seen_until > now()
    ),
    ranked as (
      select id, holder, tenant_id,
        row_number() over (partition by tenant_id order by holder is null, id) as place
      from open
    ),
    ordered as (
      select id, tenant_id, place, row_number() over (order by place, id) as ordinal
      from ranked where holder is null and place <= ${perTenant}::int
    ),
    taken as (
      select r.id, o.tenant_id from file_requests r join ordered o on o.id = r.id
      where r.holder is null and o.ordinal <= case
        when o.place > 1 then ${all}::int
        when r.id < uuidv7(interval '-1 second') then ${firstLate}::int
        else ${first}::int
      end
      for update of r skip locked
    )
    update file_requests r set holder = ${holder}, held_until = now() + make_interval(secs => ${heldSeconds}::int)
    from taken where r.id = taken.id
    returning r.id, r.account_id as "accountId", taken.tenant_id as "tenantId", r.file`.execute(db);
  return rows;
}

/** Gives a request back of which nothing was written, so that any process can take it. */
export async function giveBack(db: Db, holder: string, id: string): Promise<void> {
  await sql`
    update file_requests set holder = null, held_until = null
    where id = ${id} and holder = ${holder} and written_chunks = 0`.execute(db);
}

/** The number of chunks that the reader has taken. Null when nobody reads the file any more. */
export async function readSoFar(db: Db, holder: string, id: string): Promise<number | null> {
  const { rows } = await sql<{ read: number }>`
    update file_requests set held_until = now() + make_interval(secs => ${heldSeconds}::int)
    where ${isServed(holder, id)} returning read_chunks as read`.execute(db);
  return rows[0]?.read ?? null;
}

/** Writes the next chunk. Returns what `readSoFar` does. */
export async function writeChunk(
  db: Db,
  holder: string,
  id: string,
  { chunk, bytes }: { readonly chunk: number; readonly bytes: Buffer },
): Promise<number | null> {
  const { rows } = await sql<{ read: number }>`
    with request as (
      update file_requests set
        written_chunks = ${chunk}::int + 1, held_until = now() + make_interval(secs => ${heldSeconds}::int)
      where ${isServed(holder, id)} and written_chunks = ${chunk}::int
      returning read_chunks as read
    ),
    written as (
      insert into file_chunks (request_id, chunk, bytes) select ${id}::uuid, ${chunk}::int, ${bytes}::bytea from request
    )
    select read from request`.execute(db);
  return rows[0]?.read ?? null;
}

/** Says that all chunks are written. With a failure, the file ends there. */
export async function endFile(
  db: Db,
  holder: string,
  id: string,
  failure: FileFailure | null,
): Promise<void> {
  await sql`
    update file_requests set ended = true, failure = ${failure?.kind ?? null}, detail = ${failure?.detail ?? null}
    where id = ${id} and holder = ${holder}`.execute(db);
}

function isServed(holder: string, id: string) {
  return sql`id = ${id} and holder = ${holder} and seen_until > now()`;
}

/** Removes requests without a reader, and chunks without a request. Returns the number of requests. */
export async function dropForgottenFiles(db: Db): Promise<number> {
  const { rows } = await sql`delete from file_requests where seen_until < now() returning id`.execute(db);
  await sql`
    delete from file_chunks c where not exists (select from file_requests where id = c.request_id)`.execute(
    db,
  );
  return rows.length;
}
