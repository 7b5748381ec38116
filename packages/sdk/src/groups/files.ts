import type { CallOptions } from '../config.ts';
import type { UploadedFile } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';
import { uploadOptions, type UploadOptions } from './upload-options.ts';

/** Files without a public address: upload one with an API key, then give its id to a send as `fileId`. */
export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Uploads a file: a `Blob`, such as that of Node's `openAsBlob`, or its bytes. It is removed after 24 hours if nothing uses it, otherwise
   * an hour after its last message has ended. A lost answer leaves a file that nothing uses. Scope `send`.
   */
  upload(file: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<UploadedFile> {
    return this.#transport.call('files.upload', { body: file }, uploadOptions(options));
  }

  /** What is known of a file. Scope `send`. */
  get(id: string, options?: CallOptions): Promise<UploadedFile> {
    return this.#transport.call('files.get', { path: { id } }, options);
  }

  /** Removes a file that no message waits for. Scope `send`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('files.delete', { path: { id } }, options);
  }
}
