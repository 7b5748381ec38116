import type { ConsentStatus, ContactProfile, InboundBody, InboundType } from '@notify/core';

/**
 * A message that a person wrote to an account. Texts are as the provider sent them. Storing them removes what Postgres
 * cannot hold and cuts them to their limits.
 */
export interface Inbound {
  /** The provider's id, the same whenever it delivers the message again. Unique within the account. */
  readonly externalId: string;
  /** Where an answer goes, written as `to` of a send: E.164 with `+`, a chat id, or WhatsApp's own id of the person. */
  readonly from: string;
  /** The account's own address; null if the provider does not name it. */
  readonly to: string | null;
  /** The provider's time; null if it tells none. */
  readonly sentAt: Date | null;
  readonly type: InboundType;
  readonly body: InboundBody;
  readonly contact: ContactProfile | null;
  /** The provider's id of the message that this one answers or reacts to. */
  readonly replyTo: string | null;
  /** The topic of the chat that it is in, if the provider has such. An answer goes there. */
  readonly threadId?: number;
  /** What `openFile` needs to read the file of a media message; plain JSON. Null without a file. */
  readonly file: unknown;
  /** Set on one piece of a long text that arrives in several. The pieces of one text share a `reference`. */
  readonly piece?: {
    readonly reference: string;
    /** From 1. */
    readonly index: number;
    readonly total: number;
  };
  /** The payload of a pairing link that the person opened. Without a pairing of ours it is an ordinary message. */
  readonly pairing?: string;
  /** The person's wish, where the provider itself judged the words. Otherwise the account's words decide. */
  readonly consent?: ConsentStatus;
  /** The provider's name for the account, if several accounts share one callback address. */
  readonly account?: string;
}

/** A chat has a new address. Sends to the old one go there. */
export interface MovedContact {
  readonly from: string;
  readonly to: string;
  /** Both are addresses of one person: the provider names them together in each of that person's messages. Default: a new address. */
  readonly told?: true;
  /** The provider's name for the account, if several accounts share one callback address. */
  readonly account?: string;
}

/** The file of an inbound message, read on request. */
export type OpenedFile =
  | {
      readonly kind: 'file';
      /** As the provider says; null when it does not. */
      readonly mimeType: string | null;
      readonly bytes: number | null;
      /** Read once, at the pace of the reader. Throws if the file breaks off or exceeds the limit of its type. */
      readonly content: AsyncIterable<Uint8Array>;
    }
  /** The provider no longer has it. */
  | { readonly kind: 'expired'; readonly detail: string }
  /** The provider, or the account, does not work now. */
  | { readonly kind: 'unavailable'; readonly detail: string };

/** A recipient has opted out through the provider, or has opted in again. */
export interface Consent {
  /** As the provider writes it. Compared by `contactKey` of core. */
  readonly recipient: string;
  readonly optedOut: boolean;
}
