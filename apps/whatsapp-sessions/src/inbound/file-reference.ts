import type { MediaType } from '@notify/core';
import type { Secrets } from '@notify/runtime';
import type { FilePlace } from './content.ts';

/** The file of a message as `messages.file` holds it. Only the account's own data key opens `sealed`. */
export interface FileReference {
  readonly id: string;
  readonly kind: MediaType;
  readonly path: string;
  /** The media key and the hash of the file. */
  readonly sealed: string;
}

interface Whose {
  readonly tenantId: string;
  readonly accountId: string;
}

/** The reference to a file. `id` is WhatsApp's id of its message. */
export function referTo(
  { kind, path, mediaKey, sha256 }: FilePlace,
  id: string,
  whose: Whose,
  secrets: Secrets,
): FileReference {
  const parts = [mediaKey, sha256].map((bytes) =>
    bytes === null ? null : Buffer.from(bytes).toString('base64'),
  );
  return { id, kind, path, sealed: secrets.seal(JSON.stringify(parts), placeOf(whose, id)) };
}

/** The place and the key of a file. Throws if the reference was sealed for another account or under another key. */
export function openReference(
  { id, kind, path, sealed }: FileReference,
  whose: Whose,
  secrets: Secrets,
): FilePlace {
  const [mediaKey, sha256] = JSON.parse(secrets.open(sealed, placeOf(whose, id))) as [string, string | null];
  return {
    kind,
    path,
    mediaKey: Buffer.from(mediaKey, 'base64'),
    sha256: sha256 === null ? null : Buffer.from(sha256, 'base64'),
  };
}

function placeOf({ tenantId, accountId }: Whose, id: string) {
  return { tenantId, table: 'messages', row: JSON.stringify([accountId, id]), column: 'file' };
}
