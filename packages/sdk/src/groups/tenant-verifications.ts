import type { CallOptions } from '../config.ts';
import type { CodeVerification, Verifications } from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** The verifications of a tenant, for tokens. Programs that send codes take an API key and `verifications`. */
export class TenantVerifications {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Verifications, newest first. The code is never shown. Scope `messages:read`. */
  list(query: Query<'tenantVerifications.list'> = {}, options?: CallOptions): Pages<Verifications> {
    return this.#transport.pages('tenantVerifications.list', { query }, options);
  }

  /** A verification by its id. Scope `messages:read`. */
  get(id: string, options?: CallOptions): Promise<CodeVerification> {
    return this.#transport.call('tenantVerifications.get', { path: { id } }, options);
  }
}
