/** Settings of a channel account. */
export type AccountSettings = Readonly<Record<string, unknown>>;

/** A peer that listens, as far as all are alike. */
export interface StartedPeer extends AsyncDisposable {
  /** Replaces the provider's address. Where the settings name the address, this is it. */
  readonly url: string;
  readonly settings: AccountSettings;
  /** The messages that it was asked to send, each with how often. */
  ledger(): readonly { readonly asked: number }[];
}

/** A callback as the provider makes it, before it is signed. It posts `form` or `document`, if it has one. */
export interface PeerCallback {
  readonly method: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly document?: unknown;
}

/** A provider's peer, as tests and trials of all providers use it. Its folder is named by the provider's id. */
export interface ProviderPeer {
  /** Starts it on a port of loopback; 0 takes a free one. */
  readonly start: (port?: number) => Promise<StartedPeer>;
  /** A person to whom it takes messages. */
  readonly recipient: string;
  /**
   * Settings of accounts, valid although no peer runs. Several, if callbacks are read in several ways. Where the settings
   * name the provider's address, it is below `url`.
   */
  accounts(url: string): readonly AccountSettings[];
  /** Each kind of callback: that the message of a reference has a status, or what it is that has this text. */
  callbacks(reference: string, status: string, text: string): readonly PeerCallback[];
  /** The headers by which a callback shows that it comes from the provider. Without it the address alone does. */
  readonly sign?: (url: string, body: string | Buffer) => Readonly<Record<string, string>>;
}
