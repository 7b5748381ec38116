import type {
  Channel,
  ChatState,
  Cut,
  MediaType,
  MessageBody,
  MessageType,
  Outcome,
  ReceiptStatus,
  Template,
  TemplateStatus,
  Told,
} from '@notify/core';
import type { SpooledFile } from '@notify/egress';
import type { TObject } from 'typebox';
import type { ProviderGuide } from './guide.ts';
import type { Consent, Inbound, MovedContact, OpenedFile } from './inbound.ts';
import type { SendContext } from './send-context.ts';
import type { Updates } from './updates.ts';

export type { MediaType } from '@notify/core';
export type { SendContext } from './send-context.ts';

/** What a provider can do. Shown by `GET /v1/providers` and obeyed by the workers. */
export interface Capabilities {
  readonly media: boolean;
  /** The provider sends delivery receipts, so a receipt may still resolve an unknown outcome. */
  readonly reportsDelivery: boolean;
  /** Channels on which it sends no receipts. Only of a provider with several channels. Default: none. */
  readonly silentOn?: readonly Channel[];
  /** Channels on which it sends buttons and lists. Elsewhere `send` never gets any. Default: none. */
  readonly interactiveOn?: readonly Channel[];
  readonly reportsRead: boolean;
  /** The provider recognises a repeated request, so repeating one with an unknown outcome is safe. */
  readonly repeatIsSafe: boolean;
  /**
   * Accounts have a `callbackUrl`, which the tenant enters at the provider or which each send names. False if Notify itself
   * sets the provider's webhook, or if nothing arrives by HTTP.
   */
  readonly callbacks: boolean;
  /** Messages that people write to an account arrive here. Default: false. */
  readonly inbound?: boolean;
  /**
   * How long free text may be sent after a person's last message, in ms. Absent if it may be sent at any time. A template
   * may always be sent.
   */
  readonly replyWindowMs?: number;
  /** What a person who wrote can be told beside messages. Default: nothing. */
  readonly chatStates?: readonly ChatState[];
  /** Accounts must be linked to a phone, step by step, before they can send. Default: false. */
  readonly linking?: boolean;
  /** The most calls in flight at once for one account, over all its turns in a process. */
  readonly maxInFlight: number;
  /** The longest one call may take, in ms. A call is aborted at this deadline. */
  readonly callDeadlineMs: number;
}

/** The limits of a provider for one media type, if they are stricter than those of the interface. */
export interface MediaRule {
  readonly maxBytes: number;
  /** MIME types as sniffed from the bytes; `any` allows all that the interface allows. */
  readonly mimeTypes: readonly string[] | 'any';
  readonly caption: boolean;
}

/**
 * How fast an account may send by default. A tenant can lower the pace in the settings, or raise it if the provider
 * allows the account more.
 */
export interface Pace {
  readonly perSecond: number;
  /** Minimum time between two messages to one recipient, in ms. */
  readonly recipientIntervalMs?: number;
}

/**
 * The file of a media message. Its type and size have already been checked against the limits of the interface and the
 * adapter.
 */
export interface Media {
  /** Where the provider can fetch it. Null for an uploaded file, which has no public address: use `download`. */
  readonly url: string | null;
  /** Sniffed from the file's first bytes. */
  readonly mimeType: string;
  /** Null if the server did not say. */
  readonly bytes: number | null;
  readonly filename: string | null;
  readonly caption: string | null;
  /**
   * The whole file: downloaded to disk through the guarded client, or an uploaded one as it is stored. Returns an outcome if that
   * fails.
   */
  download(): Promise<SpooledFile | Outcome>;
}

/** A message that another one answers. */
export interface Quoted {
  /** The provider's id. */
  readonly externalId: string;
  /** Whether the person wrote it. Otherwise the account sent it. */
  readonly isInbound: boolean;
  /** Its text or caption; null without one. */
  readonly text: string | null;
}

/** One message, or one part of it, to be sent to the provider. */
export interface SendRequest {
  readonly messageId: string;
  readonly to: string;
  readonly type: MessageType;
  readonly body: MessageBody;
  /** The index of this part in `parts`, from 0, and its text if the adapter split the message. */
  readonly part: number;
  readonly parts: number;
  readonly text: string | null;
  /** The file, for every type but text. Null for providers without `media` rules. */
  readonly media: Media | null;
  /** The number of attempts made on this message, this one included. */
  readonly attempt: number;
  /** How often the provider has throttled this message. */
  readonly throttles: number;
  /**
   * What remains of the message's life at the moment of the call, in ms; not negative. A provider that takes a lifetime must
   * not deliver the message after it.
   */
  readonly lifetimeMs: number;
  /** The message of the same conversation that this one answers, if the provider's id of it is known. */
  readonly replyTo: Quoted | null;
  /** The topic of the message that this one answers, for all parts. Null without one. */
  readonly threadId: number | null;
  /** The address for delivery receipts of this part; null when the service has no public address. */
  readonly callbackUrl: string | null;
}

/** What to tell a person who wrote to the account. */
export interface TellRequest {
  readonly state: ChatState;
  /** The person, as `to` of a send. */
  readonly to: string;
  /**
   * The provider's ids of messages that the person wrote, the newest first: those that were read, or for `typing` the newest
   * one. Empty if none is known.
   */
  readonly externalIds: readonly string[];
  /** The topic of the newest of them. Null without one. */
  readonly threadId: number | null;
}

/** A callback as received. The bytes are unchanged, so that signatures can be checked on them. */
export interface CallbackRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as received. */
  readonly url: string;
  /**
   * The whole address as the provider knows it: `PUBLIC_URL`, path and query. Null when the service has no public
   * address.
   */
  readonly publicUrl: string | null;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** True when the secret in the path is the account's secret. */
  readonly secretMatches: boolean;
  /** Where the callback comes from. Behind proxies, what the trusted ones say (`TRUSTED_PROXIES`). */
  readonly address: string;
}

/** A delivery receipt for one message, found by our id, else by the provider's id within the account. */
export interface Receipt {
  /** Our id, if the provider returned it. */
  readonly messageId: string | null;
  readonly externalId: string | null;
  readonly part: number | null;
  readonly status: ReceiptStatus;
  readonly errorCode?: string;
  readonly providerCode?: string;
  readonly text?: string;
  /** The address by which the provider knows the recipient of the message, if it tells. */
  readonly recipient?: string;
  /** The provider's name for the account of the message, if several accounts share one callback address. */
  readonly account?: string;
}

export type CallbackResult =
  | {
      readonly kind: 'receipts';
      readonly receipts: readonly Receipt[];
      readonly consents?: readonly Consent[];
      readonly templates?: readonly TemplateChange[];
      readonly inbound?: readonly Inbound[];
      readonly moved?: readonly MovedContact[];
      /** The body of the response, if the provider wants one, such as Meta's challenge. Default: none. */
      readonly answer?: string;
      /** The type of that body. Default: plain text. */
      readonly answerType?: string;
    }
  /** The callback is not from the provider. Answered with 404, as an unknown account is. */
  | { readonly kind: 'forged' }
  /** The callback is from the provider, but unreadable. Answered with 422 and `problem`. */
  | { readonly kind: 'malformed'; readonly problem: string };

/** The address that a person opens to pair, or why there is none. */
export type PairingUrl =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'failed'; readonly refused: boolean; readonly detail: string };

/** A provider's change to one template. */
export interface TemplateChange {
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  /** Why, in the provider's own words. */
  readonly reason: string | null;
}

/** The templates of an account, or why they cannot be read. `refused`: the provider rejected the settings. */
export type TemplateList =
  | { readonly kind: 'listed'; readonly templates: readonly Template[] }
  | { readonly kind: 'failed'; readonly refused: boolean; readonly detail: string };

/** Whether the settings of an account work. `detail` has the provider's own words, or advice for the tenant. */
export type VerifyResult =
  | { readonly ok: true; readonly detail: string }
  /** `refused`: the provider rejected the settings. False if it was away, or its answer does not tell. */
  | { readonly ok: false; readonly refused: boolean; readonly detail: string };

/** A text cut for the provider: the texts to send one by one, and the number of SMS segments in all. */
export interface Split {
  readonly texts: readonly string[];
  readonly segments: number | null;
}

/** A place of a request that holds a secret of the settings. */
export interface SecretPlace {
  /** JSON pointer of the secret, below the settings. */
  readonly at: string;
  /** Scheme, host and port that the request goes to. Null if the address cannot be read. */
  readonly origin: string | null;
  /** Where in the request, and what stands around it there. Only compared, never shown. */
  readonly place: string;
}

/**
 * A provider. Its folder holds everything about it; `registry.ts` names it once. Methods never throw because of the
 * provider or the network: a failure is a value of the method's result. An exception is a bug.
 */
export interface Adapter<Settings = unknown> {
  readonly id: string;
  readonly channel: Channel | 'any';
  readonly name: string;
  readonly capabilities: Capabilities;
  /** The provider's address; null if the settings name it. Operators can set another, tenants cannot. */
  readonly baseUrl: string | null;
  /** The limits for each media type. Absent if the provider takes no media or, as the sandbox, looks at none. */
  readonly media?: Readonly<Record<MediaType, MediaRule>>;
  /**
   * The longest a media message may take to fetch, upload and send, in ms, if that is longer than the deadline of a
   * call.
   */
  readonly mediaDeadlineMs?: number;
  /** How fast an account may send, if the provider has a limit. */
  pace?(settings: Settings): Pace;
  /** JSON Schema of the settings; secret fields carry `secret: true` and are masked when shown. */
  readonly settings: TObject;
  /** Checks the settings beyond the schema. Returns the fields at fault, as JSON pointers below the settings. */
  check?(settings: Settings): readonly { readonly at: string; readonly message: string }[];
  /**
   * The addresses of calls, as far as the settings name them. An address that no call may reach is refused when the
   * settings are stored.
   */
  addresses?(settings: Settings): readonly { readonly at: string; readonly url: string }[];
  /**
   * Where requests put the secrets of the settings. Required with `addresses`: a stored secret is only sent to a place it
   * was entered for.
   */
  secretPlaces?(settings: Settings): readonly SecretPlace[];
  /**
   * Cuts a text. Called at each attempt, so the same text, settings and cut always give the same parts. Without this method a text
   * is sent whole.
   */
  split?(text: string, settings: Settings, cut: Cut): Split;
  /**
   * Cuts a caption as `split` does. The first part goes with the file, the others follow as texts. Without this method a caption is
   * sent whole.
   */
  splitCaption?(caption: string, cut: Cut): readonly string[];
  send(request: SendRequest, context: SendContext<Settings>): Promise<Outcome>;
  /**
   * Tells the person something of `capabilities.chatStates`. Best effort: it is never tried again. Required with
   * `chatStates`, unless the account is a linked device, whose process tells.
   */
  tell?(request: TellRequest, context: SendContext<Settings>): Promise<Told>;
  /** Reads all templates of the account. Absent if the provider has none. */
  listTemplates?(context: SendContext<Settings>): Promise<TemplateList>;
  /** Asks the provider whether the settings work. */
  verify(context: SendContext<Settings>): Promise<VerifyResult>;
  /** Reads the file of an inbound message from the provider. `file` is what `Inbound.file` held. */
  openFile?(file: unknown, context: SendContext<Settings>): Promise<OpenedFile>;
  parseCallback?(request: CallbackRequest, settings: Settings): CallbackResult;
  /**
   * By when a callback with these headers is answered, in ms after its request arrived. One that is not stored by then gets 503, and
   * storing it goes on. For providers that give up soon and call again. Null, or without this method: no limit.
   */
  callbackAnswerMs?(headers: CallbackRequest['headers']): number | null;
  /** Present if the provider must be told where updates go, or be asked for them. */
  readonly updates?: Updates<Settings>;
  /**
   * The link that pairs the person who opens it: the provider then hands us `payload` as `Inbound.pairing`. It may be up to 64
   * characters of `A-Z`, `a-z`, `0-9`, `_` and `-`. Absent if the provider has no such links.
   */
  pairingUrl?(payload: string, context: SendContext<Settings>): Promise<PairingUrl>;
  /**
   * For providers that call one address for several accounts. Returns whether a receipt or an inbound message belongs to
   * the account with these settings, if it came to the `addressed` account of the same tenant and passed that account's
   * check. Without this method everything belongs to the account it came to.
   */
  isOf?(item: Pick<Receipt, 'account'>, settings: Settings, addressed: Settings): boolean;
}

/** An adapter of `registry.ts`, with what people are told about its provider. */
export interface Provider<Settings = unknown> extends Adapter<Settings> {
  readonly guide: ProviderGuide;
}
