import type { CallOptions } from '../config.ts';
import type {
  AccountLink,
  ChangeChannelAccount,
  ChannelAccount,
  CreateChannelAccount,
  CreatePairing,
  LinkAccount,
  MessageDetails,
  Pairing,
  SimulateInbound,
  Verification,
} from '../schema.ts';
import { streamData } from '../streams/stream-data.ts';
import type { Answer, Transport } from '../transport/transport.ts';

/** The accounts that messages are sent from. Reading takes the scope `accounts:read`, changing `accounts:write`. */
export class ChannelAccounts {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Every account. Secret settings are masked. */
  list(options?: CallOptions): Promise<ChannelAccount[]> {
    return this.#transport.call('channelAccounts.list', {}, options);
  }

  /** Connects an account. The service asks the provider first whether its settings work, unless `verify` is false. */
  create(body: CreateChannelAccount, options?: CallOptions): Promise<ChannelAccount> {
    return this.#transport.call('channelAccounts.create', { body }, options);
  }

  /** An account by its id. */
  get(id: string, options?: CallOptions): Promise<ChannelAccount> {
    return this.#transport.call('channelAccounts.get', { path: { id } }, options);
  }

  /** Changes the fields that are given. A masked secret keeps its value. */
  update(id: string, body: ChangeChannelAccount = {}, options?: CallOptions): Promise<ChannelAccount> {
    return this.#transport.call('channelAccounts.update', { path: { id }, body }, options);
  }

  /** Removes an account. Its waiting messages fail with `channel-account-removed`. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('channelAccounts.delete', { path: { id } }, options);
  }

  /** Asks the provider whether the credentials work. */
  verify(id: string, options?: CallOptions): Promise<Verification> {
    return this.#transport.call('channelAccounts.verify', { path: { id } }, options);
  }

  /** Starts linking a phone: by QR code, or with `phone` by a code to enter there. Scope `accounts:link`. */
  link(id: string, body: LinkAccount = {}, options?: CallOptions): Promise<AccountLink> {
    return this.#transport.call('channelAccounts.link', { path: { id }, body }, options);
  }

  /** How far linking is. Scope `accounts:link`. */
  getLink(id: string, options?: CallOptions): Promise<AccountLink> {
    return this.#transport.call('channelAccounts.getLink', { path: { id } }, options);
  }

  /**
   * Every step of linking, from the present one on. Ends when the service ends the stream, and throws
   * `ConnectionError` if the connection is cut: then watch again. Scope `accounts:link`.
   */
  async *watchLink(
    id: string,
    options?: CallOptions,
  ): AsyncGenerator<Answer<'channelAccounts.watchLink'>, void, undefined> {
    const response = await this.#transport.open('channelAccounts.watchLink', { path: { id } }, options);
    for await (const data of streamData(response, options?.signal))
      yield JSON.parse(data) as Answer<'channelAccounts.watchLink'>;
  }

  /** Logs the device out. Scope `accounts:link`. */
  unlink(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.call('channelAccounts.unlink', { path: { id } }, options);
  }

  /** Makes a link by which a person allows a Telegram bot to write to them. Scope `conversations:write`. */
  createPairing(id: string, body: CreatePairing, options?: CallOptions): Promise<Pairing> {
    return this.#transport.call('channelAccounts.createPairing', { path: { id }, body }, options);
  }

  /** Has somebody write to a sandbox account. Scope `messages:send`. */
  simulateInbound(id: string, body: SimulateInbound, options?: CallOptions): Promise<MessageDetails> {
    return this.#transport.call('channelAccounts.simulateInbound', { path: { id }, body }, options);
  }
}
