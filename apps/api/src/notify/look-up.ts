import type { Db } from '@notify/db/connection';
import { findMessages, type LookedUp, type LookUp } from '@notify/db/messages';
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
