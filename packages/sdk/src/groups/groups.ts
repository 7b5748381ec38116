import type { CallOptions, SendOptions } from '../config.ts';
import type { AcceptedGroup, Group, SendGroup } from '../schema.ts';
import { withKey } from '../transport/idempotency.ts';
import type { Transport } from '../transport/transport.ts';

/** Messages of several routes, one after the other, for API keys. */
export class Groups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Sends by the first route, and by the next one when the message of the present one fails or is not delivered in time. As with
   * `messages`, all tries of a call make one group. Scope `send`.
   */
  async send(body: SendGroup, options: SendOptions = {}): Promise<AcceptedGroup> {
    const keyed = withKey(body, options);
    return this.#transport.call(
      'groups.send',
      { body: keyed },
      { ...options, repeatable: true, sentKey: keyed.idempotencyKey },
    );
  }

  /** A group with its routes, and the messages of those that have begun. Scope `read`. */
  get(id: string, options?: CallOptions): Promise<Group> {
    return this.#transport.call('groups.get', { path: { id } }, options);
  }
}
