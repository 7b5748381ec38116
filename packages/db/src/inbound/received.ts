import type {
  Channel,
  ConsentStatus,
  ContactProfile,
  InboundBody,
  InboundType,
  Keywords,
} from '@notify/core';
import type { NewConsent } from '../consents/consent.ts';

/** The account that something was received for. */
export interface InboundAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly channel: Channel;
  /** The words by which people opt out and in. */
  readonly keywords: Keywords;
  /**
   * Within what the provider's ids are unique, if that is not the account. The same id of another origin is another
   * message. An account with an origin has no texts in pieces.
   */
  readonly origin?: string | null;
}

/** A message as an adapter reads it. `Inbound` of the channels fits, and documents the fields. */
export interface InboundMessage {
  readonly externalId: string;
  readonly from: string;
  readonly to: string | null;
  readonly sentAt: Date | null;
  readonly type: InboundType;
  readonly body: InboundBody;
  readonly contact: ContactProfile | null;
  readonly replyTo: string | null;
  readonly threadId?: number;
  readonly file: unknown;
  readonly piece?: { readonly reference: string; readonly index: number; readonly total: number };
  readonly pairing?: string;
  readonly consent?: ConsentStatus;
}

/** One message to store. */
export interface NewInbound {
  readonly account: InboundAccount;
  readonly message: InboundMessage;
}

/** A contact with a new address. */
export interface NewMove {
  readonly account: InboundAccount;
  readonly from: string;
  readonly to: string;
  /** Whether the provider told that both addresses are one person, now and later. Default: the person moved. */
  readonly told?: boolean;
}

/** What is stored in one transaction. */
export interface NewlyReceived {
  readonly inbound: readonly NewInbound[];
  readonly moved: readonly NewMove[];
  /** What providers tell of their own accord. The words of a message are judged when it is stored. */
  readonly consents: readonly NewConsent[];
}

/**
 * What became of one message. `repeated`: its account has had the provider's id before, and `messageId` is what it was
 * then. `waits`: a piece whose text is not complete. `paired`: it used a pairing link, and no message was made.
 */
export type StoredInbound =
  | { readonly kind: 'stored' | 'repeated'; readonly messageId: string }
  | { readonly kind: 'waits' | 'paired' };
