import type { Db } from '@notify/db/connection';
import {
  askForSync,
  findTemplates,
  type TemplateLookUp,
  type TemplatesOfAccount,
} from '@notify/db/templates';
import type { Log } from '@notify/runtime';
import { createBatcher, createSharedCache } from '@notify/turns';

/** The stored templates, as the checks of sends see them. */
export interface KnownTemplates {
  /**
   * The templates of a name, of the account that a send would use; null if there is no such account. At most 3 s old. A
   * provider is never asked.
   */
  find(lookUp: TemplateLookUp): Promise<TemplatesOfAccount | null>;
  /**
   * Has the templates of the account read again, because a send named an unknown one. Any number of calls cause at
   * most one synchronisation a minute. A failure is logged.
   */
  refresh(accountId: string): Promise<void>;
}

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

/** Keeps what was found in memory, so that sends of one template cost a statement every 3 s. */
export function createKnownTemplates(db: Db, log: Log): KnownTemplates {
  const kept = createSharedCache<Kept>(maxKept);
  const asked = new Map<string, number>();
  const batcher = createBatcher<TemplateLookUp, TemplatesOfAccount | null>({
    maxItems,
    run: (lookUps) => findTemplates(db, lookUps),
  });

  function look(key: string, lookUp: TemplateLookUp): Kept {
    const found = batcher.add(lookUp);
    const one = { at: performance.now(), found };
    kept.set(lookUp.tenantId, key, one);
    found.catch(() => kept.delete(key));
    return one;
  }

  return {
    find(lookUp) {
      const key = keyOf(lookUp);
      const known = kept.get(key);
      const isFresh = known !== undefined && performance.now() - known.at < staleMs;
      return (isFresh ? known : look(key, lookUp)).found;
    },
    async refresh(accountId) {
      const now = performance.now();
      if (now - (asked.get(accountId) ?? -Infinity) < askApartMs) return;
      if (asked.size >= maxKept) asked.delete(asked.keys().next().value!);
      asked.delete(accountId);
      asked.set(accountId, now);
      await askForSync(db, accountId, refreshApartMs).catch((error: unknown) =>
        log.tell('templates-not-refreshed', { err: error, accountId }),
      );
    },
  };
}

function keyOf({ tenantId, channel, accountId, name }: TemplateLookUp): string {
  return `${tenantId} ${channel} ${accountId ?? ''} ${name}`;
}
