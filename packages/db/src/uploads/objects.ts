import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** How many objects a step of the sweep takes. */
const atOnce = 100;
/** After how long an object that could not be removed is tried again, in seconds. Longer than a step takes. */
const againSeconds = 900;

/**
 * Removes the objects of files that are gone, each by `remove`, which takes the id of the file and rejects if the object stays. One that
 * stays holds up no other. Rejects at the end with the first such error. A bounded number; the next sweep continues. What another
 * process removes is left to it.
 */
export async function sweepObjects(db: Db, remove: (id: string) => Promise<void>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update removed_objects set due_at = now() + make_interval(secs => ${againSeconds}::int)
    where upload_id in (
      select upload_id from removed_objects where due_at <= now() order by due_at limit ${atOnce} for update skip locked
    )
    returning upload_id as id`.execute(db);
  const failures: unknown[] = [];
  for (const { id } of rows) {
    try {
      await remove(id);
    } catch (error) {
      failures.push(error);
      continue;
    }
    await sql`delete from removed_objects where upload_id = ${id}::uuid`.execute(db);
  }
  if (failures.length > 0) throw failures[0];
}
