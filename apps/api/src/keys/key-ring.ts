import type { Db } from '@notify/db/connection';
import { findKeyHolders, type KeyHolder, touchApiKeys } from '@notify/db/tenants';
import { type Log } from '@notify/runtime';
import { createBatcher } from '@notify/turns';
import { type AddressCheck, compileBlocks } from '../http/address-blocks.ts';

/** A key as memory holds it. */
export interface HeldKey extends KeyHolder {
  /** The check of the client's address. Null: every address is allowed. */
  readonly allows: AddressCheck | null;
}

/** Finds the holder of a key by the key's name (`nameKey`). */
export interface KeyRing {
  /** The holder, fresh from the database; null if the key is unknown or has ended. */
  look(name: string): Promise<HeldKey | null>;
  /** The holder, up to 10 s old. A holder that must be refused is never taken from the cache. */
  find(name: string): Promise<{ readonly holder: HeldKey | null; readonly cached: boolean }>;
}

const cacheMs = 10_000;
const maxCached = 10_000;
/** The precision of `lastUsedAt`. */
const touchAfterMs = 60_000;

/** A key ring over the database. Simultaneous look-ups share one query. */
export function createKeyRing(db: Db, log: Log, now: () => number = Date.now): KeyRing {
  const cache = new Map<string, { holder: HeldKey; until: number }>();
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

  function remember(name: string, holder: HeldKey): void {
    cache.delete(name);
    if (cache.size >= maxCached) cache.delete(cache.keys().next().value!);
    const until = Math.min(now() + cacheMs, holder.expiresAt?.getTime() ?? Infinity);
    cache.set(name, { holder, until });
  }

  function noteUse({ keyId, lastUsedAt }: KeyHolder): void {
    if (lastUsedAt !== null && now() - lastUsedAt.getTime() < touchAfterMs) return;
    touches.add(keyId).catch((error: unknown) => log.tell('key-use-not-stored', { err: error }));
  }

  async function look(name: string): Promise<HeldKey | null> {
    const found = await looks.add(name);
    const holder = found === null ? null : held(found);
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

function held(holder: KeyHolder): HeldKey {
  return { ...holder, allows: holder.allowedIps === null ? null : compileBlocks(holder.allowedIps) };
}
