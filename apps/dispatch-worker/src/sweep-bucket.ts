import type { Db } from '@notify/db/connection';
import { sweepObjects } from '@notify/db/uploads';
import type { ObjectStore } from '@notify/egress';

/** Removes the objects of files that are gone. Without a bucket they wait until there is one again. */
export async function sweepBucket(db: Db, objects: ObjectStore | null): Promise<void> {
  if (objects === null) return;
  await sweepObjects(db, async (id) => {
    const failure = await objects.remove(id);
    if (failure !== null) throw new Error(`the bucket of files: ${failure.text}`);
  });
}
