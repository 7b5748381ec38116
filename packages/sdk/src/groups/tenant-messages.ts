import type { CallOptions, SendOptions } from '../config.ts';
import type {
  CanceledMessages,
  CancelMessages,
  ChangeMessage,
  Message,
  MessageDetails,
  MessageHistory,
  MessageRecords,
  ResendMessage,
  ResentMessage,
  SendMessage,
} from '../schema.ts';
import { withKey } from '../transport/idempotency.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/** The messages of a tenant, for tokens. Programs that send take an API key and `messages`. */
export class TenantMessages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Messages, newest first. Scope `messages:read`. */
  list(query: Query<'tenantMessages.list'> = {}, options?: CallOptions): Pages<MessageRecords> {
    return this.#transport.pages('tenantMessages.list', { query }, options);
  }

  /** Sends a text, a file or a template. As with `messages`, all tries make one message. Scope `messages:send`. */
  async send(body: SendMessage, options: SendOptions = {}): Promise<Message> {
    const keyed = withKey(body, options);
    return this.#transport.call(
      'tenantMessages.send',
      { body: keyed },
      { ...options, repeatable: true, sentKey: keyed.idempotencyKey },
    );
  }

  /** A message with its attempts, receipts and webhook deliveries. Scope `messages:read`. */
  get(id: string, options?: CallOptions): Promise<MessageHistory> {
    return this.#transport.call('tenantMessages.get', { path: { id } }, options);
  }

  /** The file of a received message: a response whose body is still to be read. Scope `messages:read`. */
  getMedia(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.open('tenantMessages.getMedia', { path: { id } }, options);
  }

  /**
   * Cancels a message that waits. It is not repeated when the answer is lost: a second cancel of a canceled message is
   * refused with `not-cancelable`. Then ask `get`: `errorCode` is `canceled`. Scope `messages:manage`.
   */
  cancel(id: string, options?: CallOptions): Promise<MessageDetails> {
    return this.#transport.call('tenantMessages.cancel', { path: { id } }, options);
  }

  /**
   * Cancels up to 10,000 waiting messages that match a filter, or counts them with `dryRun`. While `more` is true, further ones
   * match. What was canceled no longer matches, so lost answers are repeated. Scope `messages:manage`.
   */
  cancelMany(body: CancelMessages, options?: CallOptions): Promise<CanceledMessages> {
    return this.#transport.call('tenantMessages.cancelMany', { body }, { ...options, repeatable: true });
  }

  /**
   * Changes when a waiting message is sent. Refused with `not-changeable` once it is being sent. The same time twice changes
   * nothing more, so lost answers are repeated. Scope `messages:manage`.
   */
  change(id: string, body: ChangeMessage, options?: CallOptions): Promise<MessageDetails> {
    const input = { path: { id }, body };
    return this.#transport.call('tenantMessages.change', input, { ...options, repeatable: true });
  }

  /**
   * Sends a failed message again, as a new message. The service answers a repetition with that new message until it
   * fails too, so lost answers are repeated. Scope `messages:manage`.
   */
  resend(id: string, body: ResendMessage = {}, options?: CallOptions): Promise<ResentMessage> {
    const input = { path: { id }, body };
    return this.#transport.call('tenantMessages.resend', input, { ...options, repeatable: true });
  }
}
