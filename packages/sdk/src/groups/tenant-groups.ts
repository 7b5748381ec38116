import type { CallOptions, SendOptions } from '../config.ts';
import type { AcceptedGroup, Group, Groups, SendGroup } from '../schema.ts';
import { withKey } from '../transport/idempotency.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** The groups of a tenant, for tokens. Programs that send take an API key and `groups`. */
export class TenantGroups {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Groups, newest first, without their contents and without those of verifications. Scope `messages:read`. */
  list(query: Query<'tenantGroups.list'> = {}, options?: CallOptions): Pages<Groups> {
    return this.#transport.pages('tenantGroups.list', { query }, options);
  }

  /** Sends by the first route that works, as `groups.send` does. Scope `messages:send`. */
  async send(body: SendGroup, options: SendOptions = {}): Promise<AcceptedGroup> {
    const keyed = withKey(body, options);
    return this.#transport.call(
      'tenantGroups.send',
      { body: keyed },
      { ...options, repeatable: true, sentKey: keyed.idempotencyKey },
    );
  }

  /** A group with its routes, and the messages of those that have begun. Scope `messages:read`. */
  get(id: string, options?: CallOptions): Promise<Group> {
    return this.#transport.call('tenantGroups.get', { path: { id } }, options);
  }
}
