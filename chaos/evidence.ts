import type { EventKind, MessageStatus, UnknownPolicy } from '@notify/core';

/** A message that a client wanted sent, as the audit sees it. */
export interface SentClaim {
  readonly key: string;
  readonly policy: UnknownPolicy;
  readonly undeliverable: boolean;
  /** Ids in its 202 answers. */
  readonly ids: readonly string[];
  /** Answers that no client should get for a correct request. */
  readonly wrong: readonly string[];
}

/** One row of `messages`, with the key from its text. */
export interface MessageRecord {
  readonly id: string;
  readonly key: string;
  readonly status: MessageStatus;
  readonly errorCode: string | null;
  readonly possibleDuplicate: boolean;
  readonly emitted: readonly EventKind[];
}

/** One row of `events`. */
export interface EventRecord {
  readonly id: string;
  readonly messageId: string;
  readonly kind: EventKind;
  readonly sequence: number;
}

/** One post that the receiver took. */
export interface ReceivedRecord {
  readonly eventId: string;
  readonly messageId: string;
  readonly kind: EventKind;
  readonly sequence: number;
  readonly verified: boolean;
}

/** All knowledge of the messages of a run, from four sides: clients, database, providers, receiver. */
export interface Evidence {
  readonly claims: readonly SentClaim[];
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
