import type { EventKind, MessageStatus, UnknownPolicy } from '@notify/core';
import type { GroupRecord } from './audit-groups.ts';
import type { VerificationRecord } from './audit-verifications.ts';

/** A message that a client wanted sent, as the audit sees it. */
export interface SentClaim {
  readonly key: string;
  readonly policy: UnknownPolicy;
  readonly undeliverable: boolean;
  /** When it was to leave (ISO 8601). Null: at once. */
  readonly sendAt: string | null;
  readonly tags: readonly string[];
  /** Ids in its 202 answers. */
  readonly ids: readonly string[];
  /** Answers that no client should get for a correct request. */
  readonly wrong: readonly string[];
}

/** A message that a person wrote, as the audit sees it. */
export interface ArrivalClaim {
  readonly key: string;
  /** Whether we answered its callback with 200. */
  readonly handedOver: boolean;
  /** Answers that no provider should get. */
  readonly wrong: readonly string[];
}

/** One inbound row of `messages`, with the key from its text. */
export interface InboundRecord {
  readonly id: string;
  readonly key: string;
}

/** One outbound row of `messages`, with the key from its text. */
export interface MessageRecord {
  readonly id: string;
  readonly key: string;
  readonly status: MessageStatus;
  readonly errorCode: string | null;
  readonly possibleDuplicate: boolean;
  readonly scheduledAt: Date | null;
  /** When its first attempt began, by the database's clock. Null without one. */
  readonly attemptedAt: Date | null;
  readonly emitted: readonly EventKind[];
  readonly tags: readonly string[];
  /** The tags under which lists find it. */
  readonly listedUnder: readonly string[];
}

/** One row of `events`. */
export interface EventRecord {
  readonly id: string;
  readonly messageId: string;
  readonly kind: EventKind | 'received';
  readonly sequence: number;
  readonly tags: readonly string[];
}

/** One post that the receiver took. */
export interface ReceivedRecord {
  readonly eventId: string;
  readonly messageId: string;
  readonly kind: EventKind | 'received';
  readonly sequence: number;
  readonly verified: boolean;
}

/** All knowledge of the messages of a run, from four sides: clients, database, providers, receiver. */
export interface Evidence {
  /** The persons that clients verified. Absent where nobody did. */
  readonly verifications?: readonly VerificationRecord[];
  /** The fallback groups that clients sent. Absent where nobody did. */
  readonly groups?: readonly GroupRecord[];
  readonly claims: readonly SentClaim[];
  readonly arrivals: readonly ArrivalClaim[];
  readonly inbound: readonly InboundRecord[];
  readonly messages: readonly MessageRecord[];
  readonly events: readonly EventRecord[];
  /** How often a provider took a message to send it, by message id. */
  readonly taken: ReadonlyMap<string, number>;
  /** Messages whose delivery a provider reported and we answered with 2xx. */
  readonly delivered: ReadonlySet<string>;
  readonly received: readonly ReceivedRecord[];
  /** Answers that a worker got and could have stored, but that no row records: descriptions by message id. */
  readonly thrownAway: ReadonlyMap<string, readonly string[]>;
}

/** Whether this post brought this event, signed. */
export function isDelivered(event: EventRecord, post: ReceivedRecord): boolean {
  const same = post.eventId === event.id && post.kind === event.kind && post.sequence === event.sequence;
  return same && post.verified;
}
