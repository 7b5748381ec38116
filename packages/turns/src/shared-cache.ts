import { createShares } from './shares.ts';

/** A bounded cache whose room owners, such as tenants, share. */
export interface SharedCache<Value> {
  readonly size: number;
  get(key: string): Value | undefined;
  /** Keeps the value as the owner's newest. */
  set(owner: string, key: string, value: Value): void;
  delete(key: string): void;
}

/**
 * A cache of at most `maxSize` values. A full one forgets the oldest value of the owner with the most, so an owner that asks for
 * very much flushes its own values and not those of the others.
 */
export function createSharedCache<Value>(maxSize: number): SharedCache<Value> {
  const kept = new Map<string, { readonly owner: string; readonly value: Value }>();
  const shares = createShares<string>();

  function forget(key: string): void {
    const known = kept.get(key);
    if (known === undefined) return;
    kept.delete(key);
    shares.remove(known.owner, key);
  }

  return {
    get size() {
      return kept.size;
    },
    get: (key) => kept.get(key)?.value,
    set(owner, key, value) {
      forget(key);
      if (kept.size >= maxSize) forget(shares.oldestOf(shares.largest()!.owner)!);
      kept.set(key, { owner, value });
      shares.add(owner, key);
    },
    delete: forget,
  };
}
