import { type RawBuilder, sql } from 'kysely';

/** A file that a tenant uploaded, whole. */
export interface Upload {
  readonly id: string;
  readonly filename: string | null;
  /** Sniffed from its first bytes. */
  readonly type: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  readonly createdAt: Date;
  /** Null while something waits for it. */
  readonly expiresAt: Date | null;
}

/** Where the contents of a file are. */
export type UploadPlace = 'postgres' | 's3';

/** The columns of an `Upload`, in SQL. */
export const uploadColumns: RawBuilder<unknown> = sql`id, filename, type, bytes::float8 as bytes, encode(sha256, 'hex') as sha256,
      created_at as "createdAt", expires_at as "expiresAt"`;

/** Whether a file has its contents and may be used, in SQL. */
export const isUsable: RawBuilder<boolean> = sql<boolean>`sha256 is not null and gone_at is null
      and (expires_at is null or expires_at > now())`;
