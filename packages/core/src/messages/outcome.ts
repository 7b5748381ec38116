/**
 * The outcome of one attempt at a provider. Adapters return it for everything that the provider or the network can do.
 * The worker switches on `kind`, and nothing else decides the next step.
 */
export type Outcome =
  /**
   * The provider has it. `externalId` is its id there. `receipts` are those that it gave in advance. `text` tells the owner of
   * the account what the answer lacks; absent if it lacks nothing. `note` says how we sent it, without words of the provider;
   * absent if there was no choice. `address` is the one by which the provider knows the
   * recipient: people write from there. Absent if it is the same, or if the provider does not tell.
   */
  | {
      readonly kind: 'accepted';
      readonly externalId: string | null;
      readonly receipts?: readonly ForeseenReceipt[];
      readonly text?: string;
      readonly note?: string;
      readonly address?: KnownAddress;
    }
  /** The provider throttles: nothing was sent, and no attempt is used. The account (or only this recipient) pauses. */
  | {
      readonly kind: 'throttled';
      readonly afterMs: number;
      readonly scope: 'account' | 'recipient';
      readonly text: string;
    }
  /** Certainly not sent, and worth another try. `afterMs` is the provider's own request (Retry-After). */
  | {
      readonly kind: 'retry';
      readonly errorCode: string;
      readonly text: string;
      readonly providerCode?: string;
      readonly afterMs?: number;
    }
  /** Refused for good. */
  | {
      readonly kind: 'rejected';
      readonly errorCode: string;
      readonly text: string;
      readonly providerCode?: string;
    }
  /** The account itself does not work (credentials, suspension). Its messages are held until the tenant acts. */
  | { readonly kind: 'connection-broken'; readonly text: string; readonly providerCode?: string }
  /** The request was written but got no response. The message may have been sent. */
  | { readonly kind: 'unknown'; readonly text: string };

/** How a provider names the recipient of a message. */
export interface KnownAddress {
  /** The address of the request, as a send takes it. */
  readonly asked: string;
  /** The provider's own of the same person, as a send takes it. */
  readonly known: string;
}

/** A receipt that is known at acceptance and arrives after `afterMs` (the sandbox's receipts). */
export interface ForeseenReceipt {
  readonly status: ReceiptStatus;
  readonly afterMs: number;
  readonly errorCode?: string;
  readonly text?: string;
}

/** The statuses that a provider can report about an accepted message. */
export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed';
