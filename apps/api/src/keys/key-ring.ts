import { createBatcher } from '@notify/batching';
import type { Db } from '@notify/db/connection';
import { findKeyHolders, type KeyHolder, touchApiKeys } from '@notify/db/tenants';
import { type Log } from '@notify/runtime';
import { createSharedCache } from '@notify/turns';
import { type AddressCheck, compileBlocks } from '@notify/egress';

/** A key as memory holds it. */
export interface HeldKey extends KeyHolder {
  /** The check of the client's address. Null: every address is allowed. */
  readonly allows: AddressCheck | null;
}

/** Finds the holder of a key by the key's name (`nameKey`). */
export interface KeyRing {
  /**
   * The holder, fresh from the database; null if the key has ended, or is unknown or was so in the last 2 s.
   */
  look(name: string): Promise<HeldKey | null>;
  /** The holder, up to 10 s old. A holder that must be refused is never taken from the cache. */
  find(name: string): Promise<{ readonly holder: HeldKey | null; readonly cached: boolean }>;
  /** The holder, up to 10 s old, if memory has it. */
  remembered(name: string): HeldKey | null;
  /** The tenant of a key that was seen before, however long ago. Only for sharing: the key may have ended. */
  tenantOf(name: string): string | null;
}

const maxItems = 500;
const cacheMs = 10_000;
/** A key in use is looked up again before its holder is too old, so that no request waits for it. */
const refreshBeforeMs = 5_000;
const maxCached = 10_000;
/** How long a key that does not exist is remembered. Short, because an operator may create a key of a known value. */
const unknownMs = 2_000;
/** How long a key that was never seen may wait for its look-up, in ms. */
const strangerWaitMs = 1_000;
/** The precision of `lastUsedAt`. */
const touchAfterMs = 60_000;

/**
 * A key ring over the database. Simultaneous look-ups share one query. Throws `Overdue` if a key that was never seen
 * cannot be looked up within a second.
 */
export function createKeyRing(db: Db, log: Log, now: () => number = Date.now): KeyRing {
  const cache = createSharedCache<{ holder: HeldKey; until: number; refreshed: boolean }>(maxCached);
  const unknown = new Map<string, number>();
  const run = (names: readonly string[]): Promise<readonly (KeyHolder | null)[]> =>
    findKeyHolders(
      db,
      names.map((name) => Buffer.from(name, 'base64')),
    );
  const looks = createBatcher<string, KeyHolder | null>({ maxItems, run });
  /** Anyone can make up well-formed keys, so they never go before keys that exist. */
  const strangers = createBatcher<string, KeyHolder | null>({ maxItems, maxWaitMs: strangerWaitMs, run });
  const touches = createBatcher<string, void>({
    maxItems: 1_000,
    run: async (keyIds) => {
      await touchApiKeys(db, keyIds);
      return [];
    },
  });

  function remember(name: string, holder: HeldKey): void {
    const until = Math.min(now() + cacheMs, holder.expiresAt?.getTime() ?? Infinity);
    cache.set(holder.tenantId, name, { holder, until, refreshed: false });
  }

  function noteUse({ keyId, lastUsedAt }: KeyHolder): void {
    if (lastUsedAt !== null && now() - lastUsedAt.getTime() < touchAfterMs) return;
    touches.add(keyId).catch((error: unknown) => log.tell('key-use-not-stored', { err: error }));
  }

  function rememberUnknown(name: string): void {
    unknown.delete(name);
    if (unknown.size >= maxCached) unknown.delete(unknown.keys().next().value!);
    unknown.set(name, now() + unknownMs);
  }

  async function lookUp(name: string): Promise<KeyHolder | null> {
    if (cache.get(name) !== undefined) return looks.add(name);
    if ((unknown.get(name) ?? 0) > now()) return null;
    const found = await strangers.add(name);
    if (found === null) rememberUnknown(name);
    return found;
  }

  async function look(name: string): Promise<HeldKey | null> {
    const found = await lookUp(name);
    const holder = found === null ? null : held(found);
    if (holder === null || holder.blocked || holder.trialOver) cache.delete(name);
    else remember(name, holder);
    if (holder !== null) noteUse(holder);
    return holder;
  }

  function remembered(name: string): HeldKey | null {
    const known = cache.get(name);
    return known !== undefined && known.until > now() ? known.holder : null;
  }

  /** If it fails, the holder gets too old, and the next request looks it up and tells. */
  function refreshSoon(name: string): void {
    const known = cache.get(name);
    if (known === undefined || known.refreshed || known.until - now() > refreshBeforeMs) return;
    known.refreshed = true;
    look(name).catch(() => undefined);
  }

  return {
    look,
    remembered,
    tenantOf: (name) => cache.get(name)?.holder.tenantId ?? null,
    async find(name) {
      const holder = remembered(name);
      if (holder !== null) {
        refreshSoon(name);
        return { holder, cached: true };
      }
      return { holder: await look(name), cached: false };
    },
  };
}

function held(holder: KeyHolder): HeldKey {
  return { ...holder, allows: holder.allowedIps === null ? null : compileBlocks(holder.allowedIps) };
}
