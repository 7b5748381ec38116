import { outcomeOfMediaFailure } from '@notify/channels';
import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findContents, readContents } from '@notify/db/uploads';
import type { MediaClient, ObjectFailure, ObjectStore, SpooledFile } from '@notify/egress';

/** What is known of a file before it is read. */
export interface MediaFacts {
  /** Null if its server did not say. */
  readonly bytes: number | null;
  /** Sniffed from its first bytes. */
  readonly mimeType: string;
}

/** Where the file of a message comes from. Failures are outcomes. */
export interface MediaSource {
  /** Where a provider can fetch it. Null if nowhere. */
  readonly url: string | null;
  look(signal: AbortSignal): Promise<MediaFacts | Outcome>;
  /** The whole file. A server may serve another one than was looked at. */
  read(options: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<SpooledFile | Outcome>;
}

/** The source of a message's file: its URL, or for an uploaded one our own table or the bucket. */
export function sourceOf(
  { url, fileId }: { readonly url: string; readonly fileId?: string },
  { media, ...stores }: { readonly media: MediaClient } & Stores,
): MediaSource {
  return fileId === undefined ? fetched(url, media) : stored(fileId, stores);
}

function fetched(url: string, client: MediaClient): MediaSource {
  return {
    url,
    async look(signal) {
      const looked = await client.look(url, { signal });
      return looked.ok ? looked : outcomeOfMediaFailure(looked);
    },
    async read(options) {
      const downloaded = await client.download(url, options);
      return downloaded.ok ? downloaded.file : outcomeOfMediaFailure(downloaded);
    },
  };
}

/** A message that waits keeps its file, so a file that is gone means that somebody removed its row. */
const gone: Outcome = {
  kind: 'rejected',
  errorCode: 'media-unavailable',
  text: 'The uploaded file is gone.',
};

interface Stores {
  readonly db: Db;
  readonly objects: ObjectStore | null;
}

/**
 * From the database it is read while it is sent, a chunk at a time, so it takes no room on the disk. From the bucket it is fetched first, so
 * that a bucket that fails leaves nothing half sent.
 */
function stored(fileId: string, { db, objects }: Stores): MediaSource {
  return {
    url: null,
    async look() {
      const found = await findContents(db, fileId);
      return found === null ? gone : { bytes: found.bytes, mimeType: found.type };
    },
    async read({ signal }) {
      const found = await findContents(db, fileId);
      if (found === null) return gone;
      const { bytes, sha256, type: mimeType } = found;
      if (found.place === 's3') {
        const file = await objects?.read({ key: fileId, bytes, sha256, mimeType }, signal);
        return file === undefined || 'failure' in file ? outcomeOf(file ?? noBucket) : file;
      }
      return {
        bytes,
        mimeType,
        open: () => readContents(db, fileId),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  };
}

const noBucket: ObjectFailure = { failure: 'away', text: 'this process has no FILES_URL' };

/** The tenant learns that the file is away, and not what the operator's store said. */
function outcomeOf({ failure }: ObjectFailure): Outcome {
  if (failure === 'missing') return gone;
  return { kind: 'retry', errorCode: 'media-unavailable', text: 'The uploaded file cannot be read for now.' };
}
