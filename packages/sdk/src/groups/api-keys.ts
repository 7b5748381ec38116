import type { CallOptions } from '../config.ts';
import type { ApiKey, CreateApiKey, CreatedApiKey, RotateApiKey } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';

/** API keys. Reading takes the scope `keys:read`, the rest `keys:write`. */
export class ApiKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a key. Only this answer has the `key` itself. */
  create(body: CreateApiKey, options?: CallOptions): Promise<CreatedApiKey> {
    return this.#transport.call('apiKeys.create', { body }, options);
  }

  /** Every key that works, without the key itself. */
  list(options?: CallOptions): Promise<ApiKey[]> {
    return this.#transport.call('apiKeys.list', {}, options);
  }

  /** Makes a key with the same name, limits and scopes. The old one ends after `overlapSeconds`, by default at once. */
  rotate(id: string, body: RotateApiKey = {}, options?: CallOptions): Promise<CreatedApiKey> {
    return this.#transport.call('apiKeys.rotate', { path: { id }, body }, options);
  }

  /** Ends a key at once. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('apiKeys.revoke', { path: { id } }, options);
  }
}
