import type { CallOptions } from '../config.ts';
import type { TransportOptions } from '../transport/transport.ts';

/** The options of an upload. `timeoutMs` is ten minutes by default. */
export interface UploadOptions extends CallOptions {
  /** The name of the file, for recipients. Default: none. */
  readonly filename?: string;
}

/** How long an upload may take by default, in ms: the 16 MB of a file on a line of 28 KB a second. */
const uploadTimeoutMs = 600_000;

/** An upload as the transport takes it: it may be repeated, because a file that nothing uses is removed. */
export function uploadOptions({ filename, ...options }: UploadOptions): TransportOptions {
  const headers: Record<string, string> =
    filename === undefined
      ? {}
      : { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}` };
  return { ...options, timeoutMs: options.timeoutMs ?? uploadTimeoutMs, headers, repeatable: true };
}
