import type { CallOptions } from '../config.ts';
import type { ChangeConsent, Consent, Consents } from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** Who opted out of an account's messages. Reading takes the scope `consent:read`, changing `consent:write`. */
export class ConsentList {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Recipients that opted out or in, newest change first. */
  list(query: Query<'consent.list'> = {}, options?: CallOptions): Pages<Consents> {
    return this.#transport.pages('consent.list', { query }, options);
  }

  /** A recipient's consent with its history. */
  get(channelAccountId: string, recipient: string, options?: CallOptions): Promise<Consent> {
    return this.#transport.call('consent.get', { path: { channelAccountId, recipient } }, options);
  }

  /** Opts a recipient out or in. */
  set(
    channelAccountId: string,
    recipient: string,
    body: ChangeConsent,
    options?: CallOptions,
  ): Promise<Consent> {
    return this.#transport.call('consent.set', { path: { channelAccountId, recipient }, body }, options);
  }

  /** Forgets a recipient's consent: our record, not a block at the provider. */
  remove(channelAccountId: string, recipient: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('consent.remove', { path: { channelAccountId, recipient } }, options);
  }
}
