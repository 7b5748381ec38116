import type { Db } from '@notify/db/connection';
import { type NextDue, nextDue } from '@notify/db/dispatch';
import { coalesceById } from '@notify/turns';

/** Looks up when accounts are due next, many in one query. Null for an account without work. */
export function createDueLookup(db: Db): (accountId: string) => Promise<NextDue | null> {
  const lookUp = coalesceById<null, NextDue>(
    async (wanted) => new Map((await nextDue(db, [...wanted.keys()])).map((next) => [next.accountId, next])),
  );
  return (id) => lookUp(id, null);
}
