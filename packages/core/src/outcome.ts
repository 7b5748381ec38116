/**
 * What one attempt at a provider came to. Adapters return it for everything the provider or the network can do;
 * the worker switches on `kind`, and nothing else decides what happens next.
 */
export type Outcome =
  /** The provider has it. `externalId` is the provider's id of it; `receipts` are reports it gave in advance. */
  | {
      readonly kind: 'accepted';
      readonly externalId: string | null;
      readonly receipts?: readonly ForeseenReceipt[];
    }
  /** Told to slow down: nothing was sent and no attempt is burnt. The account (or only this recipient) pauses. */
  | {
      readonly kind: 'throttled';
      readonly afterMs: number;
      readonly scope: 'account' | 'recipient';
      readonly text: string;
    }
  /** Certainly not sent, and worth another try. `afterMs` is the provider's own wish (Retry-After). */
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
  /** The account itself does not work (credentials, suspension): its messages are held, the tenant must act. */
  | { readonly kind: 'connection-broken'; readonly text: string; readonly providerCode?: string }
  /** The request was written and never answered: it may have been sent. */
  | { readonly kind: 'unknown'; readonly text: string };

/** A report that is known at the moment of acceptance and comes true after `afterMs` (the sandbox's receipts). */
export interface ForeseenReceipt {
  readonly status: ReceiptStatus;
  readonly afterMs: number;
  readonly errorCode?: string;
  readonly text?: string;
}

/** What a provider can report about a message it accepted. */
export type ReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed';
