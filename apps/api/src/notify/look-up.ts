import type { Db } from '@notify/db/connection';
import { findMessages, type LookedUp, type LookUp } from '@notify/db/messages';
import { createBatcher } from '@notify/turns';

const maxItems = 200;
/** While the rows of one batch are read from the database those of another are made into answers. */
const concurrency = 2;

/** Looks a message up, together with all that are asked for meanwhile. */
export type MessageFinder = (lookUp: LookUp) => Promise<LookedUp>;

/** Looks messages up; those asked for while a look-up is under way are the next one together. */
export function createLookUp(db: Db): MessageFinder {
  const batcher = createBatcher<LookUp, LookedUp>({
    maxItems,
    concurrency,
    run: (lookUps) => findMessages(db, lookUps),
  });
  return (lookUp) => batcher.add(lookUp);
}
