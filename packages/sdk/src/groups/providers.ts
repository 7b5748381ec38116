import type { CallOptions } from '../config.ts';
import type { Provider } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';

/** What accounts can be connected to. */
export class Providers {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every provider, with the JSON Schema of its settings. Scope `accounts:read`. */
  list(options?: CallOptions): Promise<Provider[]> {
    return this.#transport.call('providers.list', {}, options);
  }
}
