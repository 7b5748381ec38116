import type { Adapter } from '@notify/channels';
import type { AccountRow } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { askForSync, syncAnew } from '@notify/db/templates';
import type { Log } from '@notify/runtime';

/** Time between two synchronisations of an account that its tenant asked for, in ms. */
export const askedApartMs = 10_000;

/**
 * Has the templates of an account read from its provider soon, if the provider has any: because the account is new, or
 * because its settings have changed. A failure is logged, since the account itself is stored.
 */
export async function readTemplatesSoon(
  { id, provider }: Pick<AccountRow, 'id' | 'provider'>,
  why: 'new' | 'changed',
  { db, adapters, log }: { db: Db; adapters: ReadonlyMap<string, Adapter>; log: Log },
): Promise<void> {
  if (adapters.get(provider)?.listTemplates === undefined) return;
  const ask = why === 'new' ? askForSync : syncAnew;
  await ask(db, id, askedApartMs).catch((error: unknown) =>
    log.tell('templates-not-asked', { err: error, accountId: id }),
  );
}
