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
import { createBatcher } from '@notify/turns';

const maxItems = 200;
/** Batches in flight at once: one is read from the database while answers are made of another. */
const concurrency = 2;

/** Looks a message up, in one batch with simultaneous look-ups. */
export type MessageFinder = (lookUp: LookUp) => Promise<LookedUp>;

/** Looks messages up in batches. Requests that arrive during a look-up share the next one. */
export function createLookUp(db: Db): MessageFinder {
  const batcher = createBatcher<LookUp, LookedUp>({
    maxItems,
    concurrency,
    run: (lookUps) => findMessages(db, lookUps),
  });
  return (lookUp) => batcher.add(lookUp);
}

/** Looks up a message that a send wants to answer, in one batch with simultaneous look-ups. */
export type QuotableFinder = (lookUp: QuoteLookUp) => Promise<Quotable | null>;

/** Looks up messages to answer in batches. */
export function createQuotableFinder(db: Db): QuotableFinder {
  const batcher = createBatcher<QuoteLookUp, Quotable | null>({
    maxItems,
    concurrency,
    run: (lookUps) => findQuotables(db, lookUps),
  });
  return (lookUp) => batcher.add(lookUp);
}

/** Asks whether somebody wrote from an address, in one batch with simultaneous questions. */
export type HeardFinder = (asked: Heard) => Promise<boolean>;

/** Asks in batches. */
export function createHeardFinder(db: Db): HeardFinder {
  const batcher = createBatcher<Heard, boolean>({
    maxItems,
    concurrency,
    run: (asked) => findHeard(db, asked),
  });
  return (asked) => batcher.add(asked);
}
