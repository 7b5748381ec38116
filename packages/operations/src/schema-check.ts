import type { Db } from '@notify/db/connection';
import { demandFit, demandNotTooNew, SchemaError } from '@notify/db/maintenance';
import type { Check, Log } from '@notify/runtime';

/** The check of readiness that the database answers and its schema fits this code. Logs when it begins and ceases to. */
export function createSchemaCheck(db: Db, log: Log): Check {
  let unfit: string | null = null;
  return async () => {
    try {
      await demandFit(db);
      if (unfit !== null) log.tell('schema-fits', {});
      unfit = null;
    } catch (error) {
      if (error instanceof SchemaError && error.message !== unfit) {
        unfit = error.message;
        log.tell('schema-unfit', { detail: unfit });
      }
      throw error;
    }
  };
}

/** Rejects with a `SchemaError` if the schema is too new for this code. A database that is away does not count. */
export async function refuseTooNewSchema(db: Db): Promise<void> {
  try {
    await demandNotTooNew(db);
  } catch (error) {
    if (error instanceof SchemaError) throw error;
  }
}
