import { type Db, type NextDue, nextDue } from '@notify/db';
import { createBatcher } from '@notify/runtime';

const lookedUpAtOnce = 200;

/** Looks up when accounts are due next, many in one query; null for one that has nothing to do. */
export function createDueLookup(db: Db): (accountId: string) => Promise<NextDue | null> {
  const batcher = createBatcher<string, NextDue | null>({
    maxItems: lookedUpAtOnce,
    run: async (ids) => {
      const found = new Map((await nextDue(db, ids)).map((next) => [next.accountId, next]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
  return (id) => batcher.add(id);
}
