import type { UploadedFile } from '@notify/contract';
import { formatId } from '@notify/core';
import type { Upload } from '@notify/db/uploads';

/** A file as the API shows it. */
export function shownFile({ id, type, bytes, sha256, filename, createdAt, expiresAt }: Upload): UploadedFile {
  return {
    id: formatId('file', id),
    type,
    bytes,
    sha256,
    filename,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
  };
}
