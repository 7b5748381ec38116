import type { CallOptions } from '../config.ts';
import type { CreatedServiceToken, CreateServiceToken, ServiceToken } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';

/** Service tokens. They take the access token of a session: a service token cannot make others. */
export class ServiceTokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a token. Only this answer has the `token` itself. */
  create(body: CreateServiceToken, options?: CallOptions): Promise<CreatedServiceToken> {
    return this.#transport.call('serviceTokens.create', { body }, options);
  }

  /** Every token that works, without the token itself. */
  list(options?: CallOptions): Promise<ServiceToken[]> {
    return this.#transport.call('serviceTokens.list', {}, options);
  }

  /** Ends a token at once, and its streams within 10 seconds. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('serviceTokens.revoke', { path: { id } }, options);
  }
}
