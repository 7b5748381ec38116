import { type Batcher, createBatcher } from '@notify/batching';
import type { Db } from '@notify/db/connection';
import { findHeard, type Heard } from '@notify/db/consents';
import {
  findMessages,
  findQuotables,
  type LookedUp,
  type LookUp,
  type Quotable,
  type QuoteLookUp,
} from '@notify/db/messages';

const maxItems = 200;
/** Batches in flight at once: one is read from the database while answers are made of another. */
const concurrency = 2;

/** Reads of single messages. Those that arrive while one is under way share the next query of their kind. */
export interface LookUps {
  readonly messages: Batcher<LookUp, LookedUp>;
  readonly quotables: Batcher<QuoteLookUp, Quotable | null>;
  readonly heard: Batcher<Heard, boolean>;
}

/** Opens the look-ups of one process. */
export function createLookUps(db: Db): LookUps {
  const limits = { maxItems, concurrency };
  return {
    messages: createBatcher({ ...limits, run: (lookUps) => findMessages(db, lookUps) }),
    quotables: createBatcher({ ...limits, run: (lookUps) => findQuotables(db, lookUps) }),
    heard: createBatcher({ ...limits, run: (asked) => findHeard(db, asked) }),
  };
}

/** Looks a message up. */
export function lookUp({ messages }: LookUps, message: LookUp): Promise<LookedUp> {
  return messages.add(message);
}

/** Looks up a message that a send wants to answer. Null if the tenant has none of that id. */
export function findQuotable({ quotables }: LookUps, message: QuoteLookUp): Promise<Quotable | null> {
  return quotables.add(message);
}

/** Whether somebody wrote from an address. */
export function hasWritten({ heard }: LookUps, asked: Heard): Promise<boolean> {
  return heard.add(asked);
}
