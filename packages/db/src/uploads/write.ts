import { randomUUIDv7 } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { type Upload, uploadColumns, type UploadPlace } from './upload.ts';

/** How long an upload may bring no chunk, in seconds. Then the sweep takes it. Longer than the bucket may take for it. */
const silentSeconds = 300;
/** How long a file that nothing uses is kept, in seconds. */
const unusedSeconds = 86_400;

/** Begins a file without contents. Nobody can use it before it is finished. Returns its id. */
export async function beginUpload(
  db: Db,
  {
    tenantId,
    keyId,
    filename,
    place,
  }: {
    readonly tenantId: string;
    readonly keyId: string | null;
    readonly filename: string | null;
    readonly place: UploadPlace;
  },
): Promise<string> {
  const id = randomUUIDv7();
  await sql`
    insert into uploads (id, tenant_id, key_id, filename, place, expires_at)
    values (${id}, ${tenantId}, ${keyId}, ${filename}, ${place}, now() + make_interval(secs => ${silentSeconds}::int))`.execute(
    db,
  );
  return id;
}

/**
 * Appends the next chunk, numbered from 0. Of a file in the bucket only its length is noted. `full`: the tenant's files would have more
 * than `maxTenantBytes`, unfinished ones included; files that arrive at the same time can exceed it by a chunk each. `gone`: the file was
 * swept, or its tenant removed.
 */
export async function writeUploadChunk(
  db: Db,
  id: string,
  {
    chunk,
    bytes,
    maxTenantBytes,
    place,
  }: {
    readonly chunk: number;
    readonly bytes: Buffer;
    readonly maxTenantBytes: number;
    readonly place: UploadPlace;
  },
): Promise<'written' | 'full' | 'gone'> {
  const { rows } = await sql<{ written: boolean }>`
    with held as (
      select u.id, (
          select coalesce(sum(bytes), 0) from uploads o where o.tenant_id = u.tenant_id and o.gone_at is null
        ) + ${bytes.length}::int <= ${maxTenantBytes}::bigint as fits
      from uploads u where u.id = ${id}::uuid and u.sha256 is null and u.gone_at is null
    ),
    grown as (
      update uploads set bytes = bytes + ${bytes.length}::int,
        expires_at = now() + make_interval(secs => ${silentSeconds}::int)
      where id = (select id from held where fits)
      returning id
    )${
      place === 's3'
        ? sql``
        : sql`, written as (
      insert into upload_chunks (upload_id, chunk, bytes) select id, ${chunk}::int, ${bytes}::bytea from grown
    )`
    }
    select exists (select from grown) as written from held`.execute(db);
  const [row] = rows;
  if (row === undefined) return 'gone';
  return row.written ? 'written' : 'full';
}

/** Makes the file whole: from now on it can be used. Null if it was swept meanwhile. `sha256` in hex. */
export async function finishUpload(
  db: Db,
  id: string,
  { type, sha256 }: { readonly type: string; readonly sha256: string },
): Promise<Upload | null> {
  const { rows } = await sql<Upload>`
    update uploads set type = ${type}, sha256 = decode(${sha256}, 'hex'),
      expires_at = now() + make_interval(secs => ${unusedSeconds}::int)
    where id = ${id} and sha256 is null and gone_at is null
    returning ${uploadColumns}`.execute(db);
  return rows[0] ?? null;
}

/** Removes an upload that broke off, with its chunks. */
export async function dropUpload(db: Db, id: string): Promise<void> {
  await sql`delete from uploads where id = ${id} and sha256 is null`.execute(db);
}
