import type { CallOptions } from '../config.ts';
import type { TransportOptions } from '../transport/transport.ts';

/** The options of an upload. */
export interface UploadOptions extends CallOptions {
  /** The name of the file, for recipients. Default: none. */
  readonly filename?: string;
}

/** An upload as the transport takes it: it may be repeated, because a file that nothing uses is removed. */
export function uploadOptions({ filename, ...options }: UploadOptions): TransportOptions {
  const headers: Record<string, string> =
    filename === undefined
      ? {}
      : { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(filename)}` };
  return { ...options, headers, repeatable: true };
}
