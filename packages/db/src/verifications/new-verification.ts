import type { Wake } from '@notify/core';
import type { NewGroup } from '../groups/accept.ts';
import type { AcceptRules } from '../messages/accept-statement.ts';

/** A verification to start. */
export interface NewVerification extends Pick<
  NewGroup,
  'tenantId' | 'keyId' | 'expiresInSeconds' | 'advanceAfterSeconds' | 'labels'
> {
  /** The key of the recipient, by which starts are told apart. */
  readonly recipient: string;
  readonly shownRecipient: string;
  /** The country code. Null without one: then no limit of a country applies. */
  readonly prefix: string | null;
  readonly sandbox: boolean;
  /** The accounts of the routes. */
  readonly accountIds: readonly string[];
  /** The only accounts of the key that starts it. Null: all. */
  readonly keyAccountIds: readonly string[] | null;
  /** Null without an idempotency key. */
  readonly requestKey: RequestKey | null;
  /** With a mask in place of the code. */
  readonly routes: NewGroup['routes'];
}

/** A code as it is stored. */
export interface StoredCode {
  readonly sealed: string;
  readonly hash: Buffer;
  readonly salt: Buffer;
  readonly keyVersion: number;
}

/** A verification as a start answers it. */
export interface Started {
  readonly id: string;
  readonly expiresAt: Date;
  readonly sandbox: boolean;
}

/** Who has new work. */
export interface Woken {
  readonly accounts: readonly Wake[];
  readonly webhooks: readonly Wake[];
  readonly groups: readonly Wake[];
}

/** The idempotency key of a start. */
export interface RequestKey {
  readonly key: string;
  /** SHA-256 of the request, in hex. The code is no part of it. */
  readonly requestHash: string;
}

export interface StartRules extends AcceptRules {
  /** Starts per hour to one prefix, if the tenant has set no other limit. */
  readonly startsPerHour: number;
}
