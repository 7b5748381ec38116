import type { Adapter } from '@notify/channels';
import type { AccountRow } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { makeSourceDue } from '@notify/db/updates';
import type { Log } from '@notify/runtime';

/**
 * Has it decided soon how messages to an account arrive, if its provider must be asked for them: because the account is
 * new, has new settings or was removed. A failure is logged, since the account itself is stored; a worker finds it later.
 */
export async function receiveSoon(
  { id, provider }: Pick<AccountRow, 'id' | 'provider'>,
  { db, adapters, log }: { db: Db; adapters: ReadonlyMap<string, Adapter>; log: Log },
): Promise<void> {
  if (adapters.get(provider)?.updates === undefined) return;
  await makeSourceDue(db, id).catch((error: unknown) =>
    log.tell('updates-not-asked', { err: error, accountId: id }),
  );
}
