import type { Db } from '@notify/db/connection';
import { findMessages, type LookedUp, type LookUp } from '@notify/db/messages';
import { createBatcher } from '@notify/turns';
import type { ApiDeps } from '../deps.ts';

const maxItems = 200;
/** While the rows of one batch are read from the database those of another are made into answers. */
const concurrency = 2;

/** Looks messages up; those asked for while a look-up is under way are the next one together. */
export function createLookUp(db: Db): ApiDeps['lookUp'] {
  const batcher = createBatcher<LookUp, LookedUp>({
    maxItems,
    concurrency,
    run: (lookUps) => findMessages(db, lookUps),
  });
  return (lookUp) => batcher.add(lookUp);
}
