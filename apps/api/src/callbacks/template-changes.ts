import type { TemplateChange } from '@notify/channels';
import type { CallbackAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { applyTemplateChanges, askForSync } from '@notify/db/templates';
import { refreshApartMs } from '../templates/known-templates.ts';

/**
 * Stores the changes that a provider tells of its templates. A change of one that is not stored has the templates of the
 * account read again.
 */
export async function storeTemplateChanges(
  { id }: Pick<CallbackAccount, 'id'>,
  changes: readonly TemplateChange[],
  { db }: { db: Db },
): Promise<void> {
  if (changes.length === 0) return;
  const allKnown = await applyTemplateChanges(db, id, changes);
  if (!allKnown) await askForSync(db, id, refreshApartMs);
}
