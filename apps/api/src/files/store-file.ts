import { createHash } from 'node:crypto';
import { mediaLimits } from '@notify/channels';
import { sizeLimitText } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  beginUpload,
  dropUpload,
  finishUpload,
  type Upload,
  type UploadPlace,
  writeUploadChunk,
} from '@notify/db/uploads';
import { inChunks, type ObjectDraft, type ObjectStore, sniff, sniffedBytes } from '@notify/egress';
import type { Settings } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import type { ArrivingFile } from '../http/input/arriving-file.ts';
import { tooLarge } from '../http/input/file-body.ts';
import { invalidRequest, Problem } from '../problems/problem.ts';

/** How many bytes of a file one row holds. */
const chunkBytes = 262_144;

/** Where a file is stored, and within which limits. */
export interface Storing {
  readonly tenantId: string;
  /** Null for a session or a service token. */
  readonly keyId: string | null;
  readonly settings: Pick<Settings, 'maxFileBytes' | 'maxFileBytesPerTenant' | 'filesStore'>;
  /** Fires when the upload has to end. */
  readonly ended: AbortSignal;
  readonly db: Db;
  /** The bucket. Null without one. */
  readonly objects: ObjectStore | null;
}

/**
 * Stores a file as it arrives, a chunk at a time: in Postgres, or on disk until it is whole and then in the bucket. Throws the Problem of
 * one that is empty, too large, not what its client says, or cut off; then nothing of it stays.
 */
export async function storeFile(file: ArrivingFile, storing: Storing): Promise<Upload> {
  const { db, tenantId, keyId, objects, settings } = storing;
  const inBucket = settings.filesStore === 'postgres' ? null : objects;
  const place: UploadPlace = inBucket === null ? 'postgres' : 's3';
  const id = await beginUpload(db, { tenantId, keyId, filename: file.filename, place });
  try {
    await using draft = (await inBucket?.begin()) ?? null;
    const { sha256, head } = await writeContents(id, file, { ...storing, place, draft });
    if (head.length === 0) throw invalidRequest({ at: 'body', message: 'must not be empty' });
    const type = await sniff(head);
    demandClaimed(file, type);
    if (draft !== null && (await draft.store(id)) !== null) throw bucketAway();
    const stored = (await finishUpload(db, id, { type, sha256 })) ?? gone();
    metrics.files.uploads.inc({ result: 'stored' });
    metrics.files.uploadedBytes.inc(stored.bytes);
    return stored;
  } catch (error) {
    metrics.files.uploads.inc({ result: 'refused' });
    // If the database is away, the sweep removes it.
    await dropUpload(db, id).catch(() => undefined);
    throw error;
  }
}

async function writeContents(
  id: string,
  { content }: ArrivingFile,
  {
    db,
    settings: { maxFileBytes, maxFileBytesPerTenant },
    ended,
    place,
    draft,
  }: Storing & { readonly place: UploadPlace; readonly draft: ObjectDraft | null },
): Promise<{ readonly sha256: string; readonly head: Buffer }> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let written = 0;
  for await (const bytes of inChunks(upTo(maxFileBytes, content), chunkBytes)) {
    if (ended.aborted)
      throw new Problem('unavailable', {
        detail: 'Too many files are being uploaded.',
        retryAfterSeconds: 1,
      });
    hash.update(bytes);
    if (written === 0) head = Buffer.from(bytes.subarray(0, sniffedBytes));
    const chunk = { chunk: written, bytes, maxTenantBytes: maxFileBytesPerTenant, place };
    const result = await writeUploadChunk(db, id, chunk);
    if (result === 'gone') return gone();
    if (result === 'full')
      throw new Problem('limit-reached', {
        detail: `The uploaded files of a tenant may have at most ${sizeLimitText(maxFileBytesPerTenant)} together.`,
      });
    await draft?.write(bytes);
    written += 1;
  }
  return { sha256: hash.digest('hex'), head };
}

/** The same content. Throws `too-large` beyond `maxBytes`. */
async function* upTo(maxBytes: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const piece of content) {
    total += piece.length;
    if (total > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

const kinds = [mediaLimits.image, mediaLimits.video, mediaLimits.audio];

/** A file that its client takes for an image, a video or an audio file that channels send must be one. */
function demandClaimed({ type: claimed, typeAt }: ArrivingFile, type: string): void {
  const essence = type.split(';')[0]!;
  const kind = kinds.find(({ mimeTypes }) => mimeTypes !== 'any' && mimeTypes.includes(claimed ?? ''));
  if (kind === undefined || kind.mimeTypes === 'any' || kind.mimeTypes.includes(essence)) return;
  throw invalidRequest({ at: typeAt, message: `says ${claimed}, but the file is ${type}` });
}

function gone(): never {
  throw new Problem('unavailable', { detail: 'The upload took too long.', retryAfterSeconds: 1 });
}

/** The reason is the operator's, so the log has it. */
function bucketAway(): Problem {
  return new Problem('unavailable', {
    detail: 'The file could not be stored for now.',
    retryAfterSeconds: 5,
  });
}
