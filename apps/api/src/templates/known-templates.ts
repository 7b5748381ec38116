import { type Batcher, createBatcher } from '@notify/batching';
import type { Db } from '@notify/db/connection';
import {
  askForSync,
  findTemplates,
  type TemplateLookUp,
  type TemplatesOfAccount,
} from '@notify/db/templates';
import type { Log } from '@notify/runtime';
import { createSharedCache, type SharedCache } from '@notify/turns';

/** Time between two synchronisations of an account that nobody asked for by hand, in ms. */
export const refreshApartMs = 60_000;

const staleMs = 3_000;
/** A tenant that names very many templates makes only its own be looked up again. */
const maxKept = 2_000;
/** A process asks the database at most this often for one account, in ms. */
const askApartMs = 2_000;
const maxItems = 200;

interface Kept {
  readonly at: number;
  readonly found: Promise<TemplatesOfAccount | null>;
}

/** The stored templates, as the checks of sends see them. What was found is kept in memory, so that sends of one template cost a statement every 3 s. */
export interface KnownTemplates {
  readonly db: Db;
  readonly log: Log;
  readonly kept: SharedCache<Kept>;
  /** When each account was last asked to be read again, in ms. */
  readonly asked: Map<string, number>;
  readonly batcher: Batcher<TemplateLookUp, TemplatesOfAccount | null>;
}

/** Nothing is known at first. */
export function createKnownTemplates(db: Db, log: Log): KnownTemplates {
  const batcher = createBatcher<TemplateLookUp, TemplatesOfAccount | null>({
    maxItems,
    run: (lookUps) => findTemplates(db, lookUps),
  });
  return { db, log, kept: createSharedCache(maxKept), asked: new Map(), batcher };
}

/**
 * The templates of a name, of the account that a send would use; null if there is no such account. At most 3 s old. A
 * provider is never asked.
 */
export function knownTemplates(
  { kept, batcher }: KnownTemplates,
  lookUp: TemplateLookUp,
): Promise<TemplatesOfAccount | null> {
  const key = keyOf(lookUp);
  const known = kept.get(key);
  if (known !== undefined && performance.now() - known.at < staleMs) return known.found;
  const found = batcher.add(lookUp);
  kept.set(lookUp.tenantId, key, { at: performance.now(), found });
  found.catch(() => kept.delete(key));
  return found;
}

/** The provider of the account that a send would use; null if there is no such account. At most 3 s old. */
export async function providerOf(
  templates: KnownTemplates,
  lookUp: Omit<TemplateLookUp, 'name'>,
): Promise<string | null> {
  return (await knownTemplates(templates, { ...lookUp, name: null }))?.provider ?? null;
}

/**
 * Has the templates of the account read again, because a send named an unknown one. Any number of calls cause at
 * most one synchronisation a minute. A failure is logged.
 */
export async function refreshTemplates({ db, log, asked }: KnownTemplates, accountId: string): Promise<void> {
  const now = performance.now();
  if (now - (asked.get(accountId) ?? -Infinity) < askApartMs) return;
  if (asked.size >= maxKept) asked.delete(asked.keys().next().value!);
  asked.delete(accountId);
  asked.set(accountId, now);
  await askForSync(db, accountId, refreshApartMs).catch((error: unknown) =>
    log.tell('templates-not-refreshed', { err: error, accountId }),
  );
}

function keyOf({ tenantId, channel, accountId, name }: TemplateLookUp): string {
  return [tenantId, channel, accountId, ...(name === null ? [] : [name])].join(' ');
}
