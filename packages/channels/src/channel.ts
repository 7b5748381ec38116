import type { Channel, MessageBody, MessageType, Outcome, ReceiptStatus } from '@notify/core';
import type { HttpClient, SpooledFile } from '@notify/egress';
import type { TObject } from 'typebox';

/** What a provider can do. Shown by `GET /v1/providers` and obeyed by the workers. */
export interface Capabilities {
  readonly media: boolean;
  /** Delivery reports come back, so an unknown outcome may still be resolved by one. */
  readonly reportsDelivery: boolean;
  readonly reportsRead: boolean;
  /** The provider recognises a repeated request, so repeating one of unknown outcome is safe. */
  readonly repeatIsSafe: boolean;
  /** Reports arrive by HTTP at `callbackUrl`. */
  readonly callbacks: boolean;
  /** Its accounts are linked to a phone, step by step, before they can send. Absent: no. */
  readonly linking?: boolean;
  /** Calls of one account in flight at once, over all its turns in a process. */
  readonly maxInFlight: number;
  /** The longest one call may take, in ms; it is aborted then. */
  readonly callDeadlineMs: number;
}

export type MediaType = Exclude<MessageType, 'text'>;

/** What a provider takes of one media type, where it takes less than the interface allows. */
export interface MediaRule {
  readonly maxBytes: number;
  /** MIME types as sniffed from the bytes; `any` for whatever the interface allows. */
  readonly mimeTypes: readonly string[] | 'any';
  readonly caption: boolean;
}

/** How fast an account may send, by default; a tenant can lower it in the settings, and raise it where they hold more. */
export interface Pace {
  readonly perSecond: number;
  /** Least time between two messages to one recipient, in ms. */
  readonly recipientIntervalMs?: number;
}

/** The file of a media message. It was looked at already: type and size are allowed by the interface and by the adapter. */
export interface Media {
  readonly url: string;
  /** Sniffed from the file's first bytes. */
  readonly mimeType: string;
  /** Null where the server did not say. */
  readonly bytes: number | null;
  readonly filename: string | null;
  readonly caption: string | null;
  /** Fetches the whole file to disk, through the guarded client; an outcome where that is not possible. */
  download(): Promise<SpooledFile | Outcome>;
}

/** One message, or one part of it, on its way to the provider. */
export interface SendRequest {
  readonly messageId: string;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** Which part of `parts` this is, from 0, and its text where the adapter split one. */
  readonly part: number;
  readonly parts: number;
  readonly text: string | null;
  /** The file, for every type but text. Null for providers whose `media` rules are absent. */
  readonly media: Media | null;
  /** Attempts burnt on this message, this one included. */
  readonly attempt: number;
  /** How often this message was told to slow down. */
  readonly throttles: number;
  /** Where the provider may report back about this part; null when the service has no public address. */
  readonly callbackUrl: string | null;
}

export interface SendContext<Settings> {
  readonly settings: Settings;
  /** Every call goes through here and nowhere else. */
  readonly http: HttpClient;
  /** Where the provider is: the adapter's `baseUrl`, unless the operator has set another. Without a slash at its end. */
  readonly baseUrl: string;
  /** Ends the call at its deadline or at shutdown. */
  readonly signal: AbortSignal;
}

/** A callback as it came in: bytes untouched, so that signatures can be checked on them. */
export interface CallbackRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as received. */
  readonly url: string;
  /** The whole address as the provider knows it: `PUBLIC_URL`, path and query. Null when the service has none. */
  readonly publicUrl: string | null;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** True when the secret in the path is the account's. */
  readonly secretMatches: boolean;
}

/** What a provider reports about one message; found again by our id, else by the provider's within the account. */
export interface Receipt {
  /** Our id, where the provider gave it back. */
  readonly messageId: string | null;
  readonly externalId: string | null;
  readonly part: number | null;
  readonly status: ReceiptStatus;
  readonly errorCode?: string;
  readonly providerCode?: string;
  readonly text?: string;
  /** The provider's name for the account it is about, where one callback address serves several. */
  readonly account?: string;
}

/** A recipient who asked, through the provider, not to be written to any more, or to be again. */
export interface Consent {
  /** As the provider writes it; compared in E.164. */
  readonly recipient: string;
  readonly optedOut: boolean;
}

export type CallbackResult =
  | {
      readonly kind: 'receipts';
      readonly receipts: readonly Receipt[];
      readonly consents?: readonly Consent[];
      /** The body of the answer where the provider wants one, such as Meta's challenge. Default: none. */
      readonly answer?: string;
    }
  /** Not the provider: answered 404, as an unknown account is. */
  | { readonly kind: 'forged' }
  /** The provider, but nothing we can read: answered 422 with `problem`. */
  | { readonly kind: 'malformed'; readonly problem: string };

export interface VerifyResult {
  readonly ok: boolean;
  /** The provider's own words, or what the tenant should do. */
  readonly detail: string;
}

/** How a text is cut for the provider: the texts to send one by one, and the SMS segments they make in all. */
export interface Split {
  readonly texts: readonly string[];
  readonly segments: number | null;
}

/**
 * A provider. Everything about it is in its folder; `registry.ts` names it once. Methods never throw for the
 * provider's sake: whatever it or the network does is an `Outcome`. An exception is a bug.
 */
export interface Adapter<Settings = unknown> {
  readonly id: string;
  readonly channel: Channel | 'any';
  readonly name: string;
  readonly capabilities: Capabilities;
  /** Where the provider is reached; null where the settings say. Operators can set another, tenants cannot. */
  readonly baseUrl: string | null;
  /** What it takes of each media type; absent where it takes none, or, as the sandbox, looks at none. */
  readonly media?: Readonly<Record<MediaType, MediaRule>>;
  /** The longest a media message may take in all, in ms, where that is longer: the file fetched, uploaded and sent. */
  readonly mediaDeadlineMs?: number;
  /** How fast an account may send, where the provider has a limit. */
  pace?(settings: Settings): Pace;
  /** JSON Schema of the settings; secret fields carry `secret: true` and are masked when shown. */
  readonly settings: TObject;
  /** What the schema cannot say. Returns the fields at fault, as JSON pointers below the settings. */
  check?(settings: Settings): readonly { readonly at: string; readonly message: string }[];
  /** Where calls go, as far as the settings say it: what no call may reach is refused when it is stored. */
  addresses?(settings: Settings): readonly { readonly at: string; readonly url: string }[];
  /** Cuts a text; called once, when the message is first claimed. Without it a text goes out whole. */
  split?(text: string, settings: Settings): Split;
  send(request: SendRequest, context: SendContext<Settings>): Promise<Outcome>;
  /** Asks the provider whether the settings work. */
  verify(context: SendContext<Settings>): Promise<VerifyResult>;
  parseCallback?(request: CallbackRequest, settings: Settings): CallbackResult;
  /**
   * For providers that report on several accounts at one address: whether a receipt is about the account with these
   * settings, when it came to, and was proved by, the `addressed` one of the same tenant. Without it every receipt is
   * about the account it came to.
   */
  isReceiptOf?(receipt: Receipt, settings: Settings, addressed: Settings): boolean;
}
