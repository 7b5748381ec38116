import type { CallOptions } from '../config.ts';
import type {
  ConversationMessages,
  Conversations,
  MarkedConversation,
  ReadConversation,
  Told,
} from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** Conversations as an API key reads them: of its accounts only. Reading takes the scope `conversations:read`. */
export class KeyConversations {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Conversations, the one with the newest message first. */
  list(query: Query<'keyConversations.list'> = {}, options?: CallOptions): Pages<Conversations> {
    return this.#transport.pages('keyConversations.list', { query }, options);
  }

  /** The messages of a conversation in both directions, newest first. */
  listMessages(
    id: string,
    query: Query<'keyConversations.listMessages'> = {},
    options?: CallOptions,
  ): Pages<ConversationMessages> {
    return this.#transport.pages('keyConversations.listMessages', { path: { id }, query }, options);
  }

  /** Marks messages as read, by default all, and with `tellSender` tells the writer. Scope `conversations:write`. */
  markRead(id: string, body: ReadConversation = {}, options?: CallOptions): Promise<MarkedConversation> {
    return this.#transport.call('keyConversations.markRead', { path: { id }, body }, options);
  }

  /** Shows the contact for some seconds that somebody types. Best effort. Scope `conversations:write`. */
  typing(id: string, options?: CallOptions): Promise<Told> {
    return this.#transport.call('keyConversations.typing', { path: { id } }, options);
  }
}
