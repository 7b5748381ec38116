import type { CallOptions } from '../config.ts';
import type { ChannelTemplates, TemplateSync } from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** The templates of an account. Reading takes the scope `templates:read`. */
export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The templates of an account, with the parameters that they take. */
  list(
    accountId: string,
    query: Query<'templates.list'> = {},
    options?: CallOptions,
  ): Pages<ChannelTemplates> {
    return this.#transport.pages('templates.list', { path: { id: accountId }, query }, options);
  }

  /** Has the service read the templates from the provider, soon. Scope `templates:write`. */
  sync(accountId: string, options?: CallOptions): Promise<TemplateSync> {
    return this.#transport.call('templates.sync', { path: { id: accountId } }, options);
  }
}
