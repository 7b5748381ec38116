import type { CallOptions } from '../config.ts';
import type { ChangeVerificationLimits, VerificationLimits as Limits } from '../schema.ts';
import type { Transport } from '../transport/transport.ts';

/** How many verifications may be started to each country, and which countries are held. */
export class VerificationLimits {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The limits. Scope `accounts:read`. */
  get(options?: CallOptions): Promise<Limits> {
    return this.#transport.call('verificationLimits.get', {}, options);
  }

  /** Replaces the limits; `held: false` of a prefix releases it. Scope `accounts:write`. */
  change(body: ChangeVerificationLimits = {}, options?: CallOptions): Promise<Limits> {
    return this.#transport.call('verificationLimits.change', { body }, options);
  }
}
