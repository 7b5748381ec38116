import type { CallOptions } from '../config.ts';
import type { Usage, VerificationUsage } from '../schema.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** How much was sent. */
export class UsageReport {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Counts per hour or day, by channel and status, with the time to delivery. Scope `usage:read`. */
  get(query: Query<'usage.get'> = {}, options?: CallOptions): Promise<Usage> {
    return this.#transport.call('usage.get', { query }, options);
  }

  /** Verifications by country prefix: starts, checks, approved. Scope `usage:read`. */
  verifications(query: Query<'usage.verifications'> = {}, options?: CallOptions): Promise<VerificationUsage> {
    return this.#transport.call('usage.verifications', { query }, options);
  }
}
