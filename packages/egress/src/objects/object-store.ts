import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { createHttpClient } from '../exchange/create-client.ts';
import { describe, EgressError } from '../errors.ts';
import type {
  HttpClient,
  HttpRequest,
  HttpResult,
  SpooledFile,
  StreamedBody,
  StreamRequest,
} from '../http-client.ts';
import { createBufferSweep } from '../media/buffer-sweep.ts';
import { createSpoolFile, type SpoolFile } from '../media/spool.ts';
import type { ObjectFailure } from './object-failure.ts';
import { createSilenceGuard } from './silence-guard.ts';
import { type S3Credentials, type S3Request, signed } from './sign.ts';

export type { ObjectFailure } from './object-failure.ts';

export interface ObjectStoreOptions extends S3Credentials {
  /** The origin of the store. Its buckets are the first step of paths there. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Stands before every key. */
  readonly prefix: string;
  /** The folder of objects on their way. */
  readonly spoolDir: string;
  readonly userAgent: string;
  /** Gets each try that failed, but those for objects that are missing. */
  readonly onError?: (error: Error) => void;
  /** The waits before the second and third try to store an object, in ms. Default: 250 and 1,000. */
  readonly retryMs?: readonly number[];
  /** The limit of each request, in ms. Default 60 s. */
  readonly requestMs?: number;
  /** The limit of all tries to store an object together, in ms. Default 75 s. */
  readonly storeMs?: number;
  /** How long the store may be silent while it answers a read, and before it answers a removal, in ms. Default 10 s. */
  readonly idleMs?: number;
  /** How long nothing is asked of a store that has not answered in time, in ms. Default 10 s. */
  readonly restMs?: number;
}

/** What is known of an object that is read. */
export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
  /** In hex. */
  readonly sha256: string;
  readonly mimeType: string;
}

/** An object that is being written, on disk. Dispose of it after use. */
export interface ObjectDraft extends AsyncDisposable {
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Stores what was written under the key. The store compares it with its SHA-256. Tries up to three times, within `storeMs`. After a
   * failure the store may have the object nevertheless.
   */
  store(key: string): Promise<ObjectFailure | null>;
}

/**
 * The operator's bucket of an S3-compatible store. Its address is the operator's, so no rule of egress applies, and no proxy. An object
 * passes through the disk in both directions, so it is never whole in memory, and a try can be repeated. After a request that the store
 * left unanswered, others fail at once, and one at a time tries whether it answers again: see `createSilenceGuard`.
 */
export interface ObjectStore {
  /** Begins an object. */
  begin(): Promise<ObjectDraft>;
  /** Fetches a whole object to disk. One with other bytes than expected counts as `away`. */
  read(object: StoredObject, signal: AbortSignal): Promise<SpooledFile | ObjectFailure>;
  /** Removes an object. Null also if there is none. */
  remove(key: string): Promise<ObjectFailure | null>;
  close(): Promise<void>;
}

/** Opens a bucket. Connects with the first request. */
export function openObjectStore(options: ObjectStoreOptions): ObjectStore {
  const { spoolDir, userAgent, retryMs = [250, 1_000], onError } = options;
  const { requestMs = 60_000, storeMs = 75_000, idleMs = 10_000, restMs = 10_000 } = options;
  const http = createHttpClient({ allowPrivate: true, allow: [], userAgent });
  const sweep = createBufferSweep();
  const requestOf = requests(options);
  const guard = createSilenceGuard(restMs);
  const told = (failure: ObjectFailure | null): ObjectFailure | null => {
    if (failure?.failure === 'away') onError?.(new Error(`the bucket of files: ${failure.text}`));
    return failure;
  };
  return {
    begin: async () =>
      draftOn(await createSpoolFile(spoolDir, sweep), (key, sha256, body) => {
        const put = async (deadlineMs: number) =>
          told(
            await guard(async () =>
              failureOf(await http.request({ ...requestOf('PUT', key, sha256), body, deadlineMs })),
            ),
          );
        return patiently(put, { waitsMs: retryMs, requestMs, storeMs });
      }),
    async read(object, signal) {
      const spool = await createSpoolFile(spoolDir, sweep).catch((error: Error) => error);
      if (spool instanceof Error) return told(away(spool))!;
      const request = { ...requestOf('GET', object.key), signal, deadlineMs: requestMs, idleMs };
      const failure = told(await guard(() => fetchTo(spool, object, { http, request })));
      if (failure !== null) {
        await spool.close();
        return failure;
      }
      const { bytes, mimeType } = object;
      return { bytes, mimeType, open: () => spool.read(), [Symbol.asyncDispose]: () => spool.close() };
    },
    async remove(key) {
      const request = { ...requestOf('DELETE', key), deadlineMs: Math.min(requestMs, idleMs) };
      const failure = told(await guard(async () => failureOf(await http.request(request))));
      return failure?.failure === 'missing' ? null : failure;
    },
    close: () => http.close(),
  };
}

function draftOn(
  spool: SpoolFile,
  put: (key: string, sha256: string, body: StreamedBody) => Promise<ObjectFailure | null>,
): ObjectDraft {
  const hash = createHash('sha256');
  let length = 0;
  return {
    async write(bytes) {
      hash.update(bytes);
      length += bytes.length;
      await spool.write(bytes);
    },
    store: (key) => put(key, hash.copy().digest('hex'), { length, open: () => spool.read() }),
    [Symbol.asyncDispose]: () => spool.close(),
  };
}

function away(error: Error): ObjectFailure {
  const isSilent = error instanceof EgressError && error.class === 'timeout';
  return { failure: 'away', text: describe(error), ...(isSilent ? { silent: true } : {}) };
}

type Method = S3Request['method'];

/** Makes signed requests, each with the time of now. */
function requests({ endpoint, bucket, prefix, ...credentials }: ObjectStoreOptions) {
  return (method: Method, key: string, sha256?: string): Omit<HttpRequest, 'deadlineMs'> => {
    const url = new URL(`${endpoint}/${bucket}/${prefix}${key}`);
    const request = { method, url, ...(sha256 === undefined ? {} : { sha256 }) };
    return { method, url: url.href, headers: signed(request, credentials, new Date()) };
  };
}

/** Tries again after each wait, while there is time for it. */
async function patiently(
  task: (deadlineMs: number) => Promise<ObjectFailure | null>,
  { waitsMs, requestMs, storeMs }: { waitsMs: readonly number[]; requestMs: number; storeMs: number },
): Promise<ObjectFailure | null> {
  const endsAt = performance.now() + storeMs;
  const leftMs = (): number => Math.min(requestMs, Math.floor(endsAt - performance.now()));
  let failure = await task(leftMs());
  for (const ms of waitsMs) {
    if (failure === null || failure.failure === 'missing' || failure.silent === true) return failure;
    if (leftMs() <= ms) return failure;
    await wait(ms);
    if (leftMs() <= 0) return failure;
    failure = await task(leftMs());
  }
  return failure;
}

/** Writes the object to the file, and says what went wrong. */
async function fetchTo(
  spool: SpoolFile,
  { bytes, sha256 }: StoredObject,
  { http, request }: { readonly http: HttpClient; readonly request: Omit<StreamRequest, 'maxBytes'> },
): Promise<ObjectFailure | null> {
  const answer = await http.stream({ ...request, maxBytes: Math.max(bytes, maxErrorBytes) });
  if (!answer.ok) return unanswered(answer);
  const hash = createHash('sha256');
  try {
    if (answer.status !== 200) return refusalOf(answer.status, await textOf(answer.body));
    for await (const chunk of answer.body) {
      hash.update(chunk);
      await spool.write(chunk);
    }
  } catch (error) {
    return away(error as Error);
  }
  return hash.digest('hex') === sha256
    ? null
    : { failure: 'away', text: 'the object has other bytes than were stored' };
}

const maxErrorBytes = 65_536;

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(body)).toString('utf8');
}

function failureOf(result: HttpResult): ObjectFailure | null {
  if (!result.ok) return unanswered(result);
  if (result.status === 200 || result.status === 204) return null;
  return refusalOf(result.status, result.body.toString('utf8'));
}

function unanswered({ error, text }: Extract<HttpResult, { readonly ok: false }>): ObjectFailure {
  return { failure: 'away', text, ...(error === 'timeout' ? { silent: true } : {}) };
}

/** The code in the store's XML says what the status does not: `SlowDown`, `SignatureDoesNotMatch`, `NoSuchBucket`. */
function refusalOf(status: number, body: string): ObjectFailure {
  const code = /<Code>([A-Za-z]{1,80})<\/Code>/.exec(body)?.[1] ?? '';
  const isMissing = status === 404 && code !== 'NoSuchBucket';
  return { failure: isMissing ? 'missing' : 'away', text: `it answered ${status} ${code}`.trim() };
}
