import type { Generated } from 'kysely';
import type { Time, TimeOrNull } from './column-types.ts';

export interface UploadTables {
  /** Files that tenants uploaded to send them: see `uploads/`. */
  uploads: {
    id: string;
    tenant_id: string;
    /** The key that uploaded it. Null for a session or a service token. */
    key_id: string | null;
    filename: string | null;
    /** Sniffed from its first bytes. Null until the file is whole, as is `sha256`. */
    type: string | null;
    /** So far. */
    bytes: Generated<string>;
    sha256: Buffer | null;
    /** Where its contents are: in `upload_chunks`, or an object of a bucket whose key is the id. */
    place: Generated<'postgres' | 's3'>;
    created_at: Time;
    /** Null while something waits for the file. */
    expires_at: TimeOrNull;
    /** Since when it has no contents. The row stays for as long as idempotency may compare it. */
    gone_at: TimeOrNull;
  };
  upload_chunks: { upload_id: string; chunk: number; bytes: Buffer };
  /** Objects to remove from the bucket. Triggers of `uploads` add them, so whatever ends a file ends its object. */
  removed_objects: { upload_id: string; due_at: Time };
  /** What waits for a file: a message, or a group with a route that sends it. */
  upload_uses: { upload_id: string; message_id: string | null; group_id: string | null };
}
