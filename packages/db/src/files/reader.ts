import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { hasOwner } from '../ownership/partitions.ts';
import type { FileFailure } from './failure.ts';

/** How long a request is served without a sign of its reader, in seconds. */
const seenSeconds = 15;

/**
 * Asks the processes of linked devices for a file of an account. `file` is what `messages.file` holds. Returns the id of
 * the request; null if no such process runs.
 */
export async function requestFile(db: Db, accountId: string, file: unknown): Promise<string | null> {
  const id = randomUUIDv7();
  const { rows } = await sql`
    insert into file_requests (id, account_id, file, seen_until)
    select ${id}, ${accountId}, ${JSON.stringify(file)}, now() + make_interval(secs => ${seenSeconds}::int)
    where ${hasOwner('whatsapp-web')}
    returning id`.execute(db);
  return rows.length === 0 ? null : id;
}

/** What has become of a request since the last look. */
export interface FileProgress {
  /** The next bytes; empty if there are none yet. */
  readonly chunks: readonly Uint8Array[];
  /** No process has taken the request yet. */
  readonly isWaiting: boolean;
  /** There is nothing left to read. */
  readonly isOver: boolean;
  /** Why the file ends here, or never began. */
  readonly failure: FileFailure | null;
}

const chunksAtOnce = 2;

/**
 * Takes the next chunks of a file, and tells its writer that the reader is still there. With `atMost: 0` it does only
 * the latter. Null when the request is gone.
 */
export async function readChunks(
  db: Db,
  id: string,
  { atMost = chunksAtOnce }: { readonly atMost?: number } = {},
): Promise<FileProgress | null> {
  const { rows } = await sql<Looked>`
    with taken as (
      delete from file_chunks where request_id = ${id}::uuid and chunk in (
        select chunk from file_chunks where request_id = ${id}::uuid order by chunk limit ${atMost}::int
      )
      returning chunk, bytes
    ),
    -- Counts what was seen: a chunk that is committed while this waits for its writer is not.
    request as (
      update file_requests set
        read_chunks = read_chunks + (select count(*) from taken),
        seen_until = now() + make_interval(secs => ${seenSeconds}::int)
      where id = ${id}::uuid
      returning *
    )
    select taken.bytes, holder is null as "isWaiting",
      read_chunks = written_chunks and (ended or held_until < now()) as "isOver",
      case when not ended and held_until < now() then 'unavailable' else failure end as failure,
      case when not ended and held_until < now() then 'The process that read the file has ended.' else detail end as detail
    from request left join taken on true order by taken.chunk`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const { isWaiting, isOver, failure: kind, detail } = row;
  const failure = kind === null ? null : { kind, detail: detail ?? '' };
  return { chunks: rows.flatMap(({ bytes }) => (bytes === null ? [] : [bytes])), isWaiting, isOver, failure };
}

interface Looked {
  readonly bytes: Buffer | null;
  readonly isWaiting: boolean;
  readonly isOver: boolean;
  readonly failure: FileFailure['kind'] | null;
  readonly detail: string | null;
}

/** Removes a request and its chunks. Its writer stops. */
export async function endRequest(db: Db, id: string): Promise<void> {
  await sql`
    with request as (delete from file_requests where id = ${id})
    delete from file_chunks where request_id = ${id}`.execute(db);
}
