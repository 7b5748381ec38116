import type { CallOptions } from '../config.ts';
import type {
  Conversation,
  ConversationMessages,
  Conversations,
  MarkedConversation,
  ReadConversation,
  Told,
} from '../schema.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** Conversations with contacts. Reading takes the scope `conversations:read`. */
export class ConversationList {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Conversations, the one with the newest message first. */
  list(query: Query<'conversations.list'> = {}, options?: CallOptions): Pages<Conversations> {
    return this.#transport.pages('conversations.list', { query }, options);
  }

  /** A conversation by its id. */
  get(id: string, options?: CallOptions): Promise<Conversation> {
    return this.#transport.call('conversations.get', { path: { id } }, options);
  }

  /** The messages of a conversation in both directions, newest first. */
  listMessages(
    id: string,
    query: Query<'conversations.listMessages'> = {},
    options?: CallOptions,
  ): Pages<ConversationMessages> {
    return this.#transport.pages('conversations.listMessages', { path: { id }, query }, options);
  }

  /**
   * Marks messages as read, by default all. With `tellSender` the person who wrote is told, too: `delivered` says whether the
   * provider took it. Scope `conversations:write`.
   */
  markRead(id: string, body: ReadConversation = {}, options?: CallOptions): Promise<MarkedConversation> {
    return this.#transport.call('conversations.markRead', { path: { id }, body }, options);
  }

  /** Shows the contact for some seconds that somebody types. Best effort. Scope `conversations:write`. */
  typing(id: string, options?: CallOptions): Promise<Told> {
    return this.#transport.call('conversations.typing', { path: { id } }, options);
  }
}
