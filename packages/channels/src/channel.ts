import type { Channel, MessageBody, MessageType, Outcome, ReceiptStatus } from '@notify/core';
import type { HttpClient } from '@notify/egress';
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
  /** Calls of one account in flight at once, over all its turns in a process. */
  readonly maxInFlight: number;
  /** The longest one call may take, in ms; it is aborted then. */
  readonly callDeadlineMs: number;
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
  /** Attempts burnt on this message, this one included. */
  readonly attempt: number;
  /** How often this message was told to slow down. */
  readonly throttles: number;
  /** Where the provider may report back about this part; null when the service has no public address. */
  readonly callbackUrl: string | null;
}

export interface SendContext<Settings> {
  readonly settings: Settings;
  /** Calls to addresses a tenant chose go through here and nowhere else. */
  readonly http: HttpClient;
  /** Ends the call at its deadline or at shutdown. */
  readonly signal: AbortSignal;
}

/** A callback as it came in: bytes untouched, so that signatures can be checked on them. */
export interface CallbackRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as received. */
  readonly url: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** True when the secret in the path is the account's. */
  readonly secretMatches: boolean;
}

/** What a provider reports about one message; found again by our id, else by the provider's within the account. */
export interface Receipt {
  readonly messageId: string | null;
  readonly externalId: string | null;
  readonly part: number | null;
  readonly status: ReceiptStatus;
  readonly errorCode?: string;
  readonly providerCode?: string;
  readonly text?: string;
}

export type CallbackResult =
  | { readonly kind: 'receipts'; readonly receipts: readonly Receipt[]; readonly answer?: string }
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
  /** JSON Schema of the settings; secret fields carry `secret: true` and are masked when shown. */
  readonly settings: TObject;
  /** What the schema cannot say. Returns the fields at fault, as JSON pointers below the settings. */
  check?(settings: Settings): readonly { readonly at: string; readonly message: string }[];
  /** Cuts a text; called once, when the message is first claimed. Without it a text goes out whole. */
  split?(text: string, settings: Settings): Split;
  send(request: SendRequest, context: SendContext<Settings>): Promise<Outcome>;
  /** Asks the provider whether the settings work. */
  verify(context: SendContext<Settings>): Promise<VerifyResult>;
  parseCallback?(request: CallbackRequest, settings: Settings): CallbackResult;
}
