import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { isUsable, type Upload, uploadColumns, type UploadPlace } from './upload.ts';

/** Whose files are asked for. */
export interface UploadReader {
  readonly tenantId: string;
  /** Null for a session or a service token, which reach all files of their tenant. */
  readonly keyId: string | null;
}

/** The file, if the caller may use it. Null otherwise, and when it is gone. */
export async function findUpload(db: Db, reader: UploadReader, id: string): Promise<Upload | null> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads where ${isOf(reader, id)} and ${isUsable}`.execute(db);
  return rows[0] ?? null;
}

/** As `findUpload`, also for a file that is gone, as far as it is remembered: a send that repeats an earlier one may name it. */
export async function recallUpload(db: Db, reader: UploadReader, id: string): Promise<Upload | null> {
  const { rows } = await sql<Upload>`
    select ${uploadColumns} from uploads where ${isOf(reader, id)} and sha256 is not null`.execute(db);
  return rows[0] ?? null;
}

/**
 * Whether the file is the caller's, in SQL: of the tenant, and uploaded by this key or by one that was rotated to it, over any number of
 * rotations.
 */
export function isOf({ tenantId, keyId }: UploadReader, id: string): RawBuilder<boolean> {
  const isOfKey =
    keyId === null
      ? sql``
      : sql` and ${keyId}::uuid in (
        with recursive heirs as (
          select uploads.key_id as id
          union
          select k.replaced_by from api_keys k join heirs h on k.id = h.id where k.replaced_by is not null
        )
        select id from heirs
      )`;
  return sql<boolean>`uploads.id = ${id}::uuid and uploads.tenant_id = ${tenantId}::uuid${isOfKey}`;
}

/** What a worker needs to know of a file to send it. */
export type Contents = Pick<Upload, 'type' | 'bytes' | 'sha256'> & { readonly place: UploadPlace };

/** The contents of a file, still to be read. Null if it has no contents any more. */
export async function findContents(db: Db, id: string): Promise<Contents | null> {
  const { rows } = await sql<Contents>`
    select type, bytes::float8 as bytes, encode(sha256, 'hex') as sha256, place from uploads
    where id = ${id}::uuid and sha256 is not null and gone_at is null`.execute(db);
  return rows[0] ?? null;
}

/** The contents of a file in Postgres, a chunk at a time. Ends early if the file goes meanwhile. */
export async function* readContents(db: Db, id: string): AsyncGenerator<Uint8Array> {
  for (let chunk = 0; ; chunk += 1) {
    const { rows } = await sql<{ bytes: Buffer }>`
      select bytes from upload_chunks where upload_id = ${id}::uuid and chunk = ${chunk}::int`.execute(db);
    const [row] = rows;
    if (row === undefined) return;
    yield row.bytes;
  }
}
