import type { Db } from '@notify/db/connection';
import { findKeyHolders, type KeyHolder, touchApiKeys } from '@notify/db/tenants';
import { type Log } from '@notify/runtime';
import { createBatcher } from '@notify/turns';

/** Finds the holder of a key by the key's name (`nameKey`). */
export interface KeyRing {
  /** The holder, fresh from the database; null if the key is unknown or revoked. */
  look(name: string): Promise<KeyHolder | null>;
  /** The holder, up to 10 s old. A holder that must be refused is never taken from the cache. */
  find(name: string): Promise<{ readonly holder: KeyHolder | null; readonly cached: boolean }>;
}

const cacheMs = 10_000;
const maxCached = 10_000;
/** The precision of `lastUsedAt`. */
const touchAfterMs = 60_000;

/** A key ring over the database. Simultaneous look-ups share one query. */
export function createKeyRing(db: Db, log: Log, now: () => number = Date.now): KeyRing {
  const cache = new Map<string, { holder: KeyHolder; until: number }>();
  const looks = createBatcher<string, KeyHolder | null>({
    maxItems: 500,
    run: (names) =>
      findKeyHolders(
        db,
        names.map((name) => Buffer.from(name, 'base64')),
      ),
  });
  const touches = createBatcher<string, void>({
    maxItems: 1_000,
    run: async (keyIds) => {
      await touchApiKeys(db, keyIds);
      return [];
    },
  });

  function remember(name: string, holder: KeyHolder): void {
    cache.delete(name);
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
    cache.set(name, { holder, until: now() + cacheMs });
  }

  function noteUse({ keyId, lastUsedAt }: KeyHolder): void {
    if (lastUsedAt !== null && now() - lastUsedAt.getTime() < touchAfterMs) return;
    touches
      .add(keyId)
      .catch((error: unknown) => log.warn({ err: error }, 'last use of a key was not stored'));
  }

  async function look(name: string): Promise<KeyHolder | null> {
    const holder = await looks.add(name);
    if (holder === null || holder.blocked || holder.trialOver) cache.delete(name);
    else remember(name, holder);
    if (holder !== null) noteUse(holder);
    return holder;
  }

  return {
    look,
    async find(name) {
      const known = cache.get(name);
      if (known !== undefined && known.until > now()) return { holder: known.holder, cached: true };
      return { holder: await look(name), cached: false };
    },
  };
}
