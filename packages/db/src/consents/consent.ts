import type { Channel, ConsentStatus } from '@notify/core';
import type { ConsentSource } from '../schema/inbound-tables.ts';

/** The account whose messages a recipient wants, or does not want. */
export interface ConsentAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly channel: Channel;
}

/** What a recipient, a provider or the tenant says about a recipient's consent. */
export interface NewConsent {
  readonly account: ConsentAccount;
  /** In any spelling that `contactKey` knows. */
  readonly recipient: string;
  readonly status: ConsentStatus;
  readonly source: ConsentSource;
  /** The message that said it, or that the provider refused. Null without one. */
  readonly messageId: string | null;
  /** What the tenant notes with a change, such as how the person asked for it. Default: nothing. */
  readonly note?: string | null | undefined;
  /**
   * When the recipient said it, by the provider's clock. What the same recipient said earlier is then ignored, although it
   * arrives later. Default: unknown, so it counts as said now.
   */
  readonly saidAt?: Date | null;
}
