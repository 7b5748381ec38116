import type { CallOptions, SendOptions } from '../config.ts';
import { ConfigurationError } from '../errors.ts';
import type {
  AlertGroup,
  CanceledMessages,
  CancelMessages,
  Channel,
  Message,
  MessageDetails,
  Messages as MessagePage,
  SendBulk,
  SendInteractive,
  SendMedia,
  SendTemplate,
  SendText,
} from '../schema.ts';
import { withKey } from '../transport/idempotency.ts';
import type { Pages } from '../transport/pages.ts';
import type { Query, Transport } from '../transport/transport.ts';

/**
 * What an API key can do: send messages and follow them. Every send has an idempotency key, so all tries of a call make
 * one message. If your own signal may end a call that you then repeat, give the key: see `newIdempotencyKey`.
 */
export class Messages {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sends a text. Resolves when the service has accepted it, with the status `queued`. Scope `send`. */
  sendText(channel: Channel, body: SendText, options?: SendOptions): Promise<Message> {
    return this.#send('messages.sendText', channel, body, options);
  }

  /** Sends a file by its URL, or an uploaded one by its `fileId`. Scope `send`. */
  sendMedia(channel: Channel, body: SendMedia, options?: SendOptions): Promise<Message> {
    return this.#send('messages.sendMedia', channel, body, options);
  }

  /** Sends a template that the provider has approved. Scope `send`. */
  sendTemplate(channel: Channel, body: SendTemplate, options?: SendOptions): Promise<Message> {
    return this.#send('messages.sendTemplate', channel, body, options);
  }

  /**
   * Sends buttons or a list. A press arrives as an inbound message of type `button`, with the `id` as `payload`. Scope
   * `send`.
   */
  sendInteractive(channel: Channel, body: SendInteractive, options?: SendOptions): Promise<Message> {
    return this.#send('messages.sendInteractive', channel, body, options);
  }

  /**
   * Sends up to 100 messages. Resolves with one message per item, in order. An item that cannot be sent has
   * the status `failed` and its `error`; the others go on. Each item has its own idempotency key; those without one get
   * one, which `idempotencyKeys` of an error names. Scope `send`.
   */
  async sendBulk(channel: Channel, body: SendBulk, options?: CallOptions): Promise<Message[]> {
    if (options !== undefined && 'idempotencyKey' in options)
      throw new ConfigurationError('A bulk call has no idempotency key: give one to each item.');
    const messages = body.messages.map((item) => withKey(item));
    const input = { path: { channel }, body: { ...body, messages } };
    return this.#transport.call('messages.sendBulk', input, {
      ...options,
      repeatable: true,
      sentKeys: messages.map(({ idempotencyKey }) => idempotencyKey),
    });
  }

  /**
   * Sends what Alertmanager or Grafana posted to a webhook: one message for each recipient. The same alerts within `repeat` answer with
   * the message of before, so a call can be repeated. Scope `send`.
   */
  sendAlerts(
    channel: Channel,
    body: AlertGroup,
    query: Query<'messages.sendAlerts'> = {},
    options?: CallOptions,
  ): Promise<Message[]> {
    const input = { path: { channel }, body, query };
    return this.#transport.call('messages.sendAlerts', input, { ...options, repeatable: true });
  }

  /** A message by its id. Scope `read`. */
  get(id: string, options?: CallOptions): Promise<MessageDetails> {
    return this.#transport.call('messages.get', { path: { id } }, options);
  }

  /** Messages, newest first. A key for some accounts lists only theirs. Scope `list`. */
  list(query: Query<'messages.list'> = {}, options?: CallOptions): Pages<MessagePage> {
    return this.#transport.pages('messages.list', { query }, options);
  }

  /**
   * Cancels a message that waits. It is not repeated when the answer is lost: a second cancel of a canceled message is
   * refused with `not-cancelable`. Then ask `get`: `errorCode` is `canceled`. Scope `cancel`.
   */
  cancel(id: string, options?: CallOptions): Promise<MessageDetails> {
    return this.#transport.call('messages.cancel', { path: { id } }, options);
  }

  /**
   * Cancels up to 10,000 waiting messages that match a filter, or counts them with `dryRun`. While `more` is true, further ones
   * match. What was canceled no longer matches, so lost answers are repeated. Scope `cancel`.
   */
  cancelMany(body: CancelMessages, options?: CallOptions): Promise<CanceledMessages> {
    return this.#transport.call('messages.cancelMany', { body }, { ...options, repeatable: true });
  }

  /** The file of a received message: a response whose body is still to be read. Scope `read`. */
  getMedia(id: string, options?: CallOptions): Promise<Response> {
    return this.#transport.open('messages.getMedia', { path: { id } }, options);
  }

  async #send(
    id: 'messages.sendText' | 'messages.sendMedia' | 'messages.sendTemplate' | 'messages.sendInteractive',
    channel: Channel,
    body: SendText | SendMedia | SendTemplate | SendInteractive,
    options: SendOptions = {},
  ): Promise<Message> {
    const keyed = withKey(body, options);
    const input = { path: { channel }, body: keyed as SendText & SendMedia & SendTemplate & SendInteractive };
    return this.#transport.call(id, input, { ...options, repeatable: true, sentKey: keyed.idempotencyKey });
  }
}
