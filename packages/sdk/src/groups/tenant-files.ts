import type { CallOptions } from '../config.ts';
import type { UploadedFile } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';
import { uploadOptions, type UploadOptions } from './upload-options.ts';

/** As `files`, with a service token: for `tenantMessages.send` and `tenantGroups.send`. */
export class TenantFiles {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Uploads a file, as `files.upload` does. No API key can use it. Scope `messages:send`. */
  upload(file: Blob | Uint8Array<ArrayBuffer>, options: UploadOptions = {}): Promise<UploadedFile> {
    return this.#transport.call('tenantFiles.upload', { body: file }, uploadOptions(options));
  }

  /** What is known of any file of the tenant. Scope `messages:send`. */
  get(id: string, options?: CallOptions): Promise<UploadedFile> {
    return this.#transport.call('tenantFiles.get', { path: { id } }, options);
  }

  /** Removes a file that no message waits for. Scope `messages:send`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('tenantFiles.delete', { path: { id } }, options);
  }
}
