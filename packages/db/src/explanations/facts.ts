import type { Channel, Lane, WebhookLane } from '@notify/core';
import type { EventDelivery } from '../messages/events.ts';
import type { MessageHistoryRow } from '../messages/history.ts';
import type { AccountStatus } from '../schema/tables.ts';

/** A lease on a due row. After `until`, any turn may claim the row. */
export interface LeaseFacts {
  readonly holder: string;
  readonly until: Date;
}

/** What decides when the account of a message sends. */
export interface AccountFacts {
  readonly id: string;
  readonly name: string;
  readonly channel: Channel;
  readonly provider: string;
  readonly status: AccountStatus;
  readonly statusDetail: string | null;
  readonly lane: Lane;
  readonly failuresInRow: number;
  /** Null without a pause, and when it is `held`. */
  readonly pausedUntil: Date | null;
  /** Paused until somebody acts. */
  readonly held: boolean;
  readonly pauseReason: string | null;
  /** The operator blocked the tenant. */
  readonly blocked: boolean;
  /** Messages per second. Null sets no limit. */
  readonly perSecond: number | null;
  /** Claims skip the account until then. */
  readonly pacedUntil: Date | null;
  readonly removedAt: Date | null;
}

/** The row of a message that still is to be sent. */
export interface DueFacts {
  readonly bulk: boolean;
  readonly dueAt: Date;
  readonly expiresAt: Date;
  readonly lease: LeaseFacts | null;
  readonly attempts: number;
  readonly resends: number;
  readonly part: number;
  readonly awaitingReceipt: boolean;
  /** The due time is one that its recipient's pace gave it. */
  readonly hasRecipientTime: boolean;
  /** The end of the quiet hours that last postponed it. Null: none did. */
  readonly quietUntil: Date | null;
}

/** Due messages of the account that go first, each counted up to `mostCounted`. */
export interface AheadFacts {
  /** Of the same kind, single or bulk. */
  readonly ofItsKind: number;
  /** Single messages, if the message is a bulk message. */
  readonly singles: number;
}

/** What is known of the recipient for this account. */
export interface RecipientFacts {
  readonly optedOut: boolean;
  /** Sends to the contact are spread out until then, because it answers like a program. */
  readonly slowedUntil: Date | null;
}

/** A running process, or one that ended within the last hour. */
export interface ProcessFacts {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: Date;
  readonly seenAt: Date;
}

/** What decides when a webhook posts. */
export interface WebhookFacts {
  readonly isActive: boolean;
  readonly disabledReason: string | null;
  readonly failingSince: Date | null;
  readonly failureCount: number;
  readonly pausedUntil: Date | null;
  readonly atOnce: number;
  readonly lane: WebhookLane;
  readonly lastFailedStatus: number | null;
  readonly lastFailedError: string | null;
}

/** A delivery of an event of the message. */
export interface DeliveryFacts {
  readonly delivery: EventDelivery;
  /** Null when the webhook was removed. */
  readonly webhook: WebhookFacts | null;
  /** Null when the delivery no longer waits. */
  readonly waiting: {
    readonly dueAt: Date;
    readonly lease: LeaseFacts | null;
    /** Deliveries of the webhook that were due earlier, counted up to `mostCounted`. */
    readonly ahead: number;
  } | null;
}

/** Everything that can hold up a message, as one snapshot of the database. */
export interface MessageFacts {
  /** The time of the snapshot by the database's clock. */
  readonly now: Date;
  readonly history: MessageHistoryRow;
  /** Since when the operator holds all sends. Null when nothing is held. */
  readonly sendsHeldSince: Date | null;
  /** Null when the tenant was deleted. */
  readonly tenant: {
    readonly id: string;
    readonly name: string;
    readonly blockedAt: Date | null;
  } | null;
  /** Null when the message has no account, or its account's row is gone. */
  readonly account: AccountFacts | null;
  /** Null when the message is not to be sent. */
  readonly due: DueFacts | null;
  readonly ahead: AheadFacts;
  readonly recipient: RecipientFacts;
  readonly deliveries: readonly DeliveryFacts[];
  /** Newest heartbeat first, at most 200. */
  readonly processes: readonly ProcessFacts[];
}

/** Messages and deliveries that go first are counted up to here. */
export const mostCounted = 1_000;
