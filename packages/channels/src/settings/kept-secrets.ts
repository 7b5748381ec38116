import type { Adapter, SecretPlace } from '../adapter/channel.ts';
import { mask, type SettingsFault } from './settings.ts';

/** Settings before and after a patch. */
export interface ChangedSettings {
  readonly old: unknown;
  readonly patch: unknown;
  /** The result of `mergeSettings`, already checked. */
  readonly settings: unknown;
}

/**
 * The stored secrets that a patch would send somewhere new, without entering them: to another scheme, host or port, or in
 * another place of a request. Whoever may change settings could otherwise read a secret that is never shown, by having it
 * sent to their own server. Empty if the patch may be stored.
 */
export function movedSecrets(adapter: Adapter, { old, patch, settings }: ChangedSettings): SettingsFault[] {
  const kept = (adapter.secretPlaces?.(settings) ?? []).filter(({ at }) => !isEntered(patch, at));
  if (kept.length === 0) return [];
  const before = adapter.secretPlaces?.(old) ?? [];
  const known = new Set(before.filter(({ origin }) => origin !== null).map(inWords));
  const origins = new Set(before.map(({ at, origin }) => `${at} ${origin}`));
  const moved = new Map<string, SettingsFault>();
  for (const one of kept) {
    if (known.has(inWords(one))) continue;
    const elsewhere = origins.has(`${one.at} ${one.origin}`)
      ? 'in another place of the request'
      : 'to another address';
    moved.set(one.at, {
      at: one.at,
      message: `must be entered again, because these settings send it ${elsewhere}`,
    });
  }
  return [...moved.values()];
}

function inWords({ at, origin, place }: SecretPlace): string {
  return JSON.stringify([at, origin, place]);
}

/** Whether the patch has the secret itself at this JSON pointer. Neither a field that is absent nor the mask is one. */
function isEntered(patch: unknown, at: string): boolean {
  let value = patch;
  for (const name of at.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
    value = (value as Record<string, unknown>)[name];
  }
  return value !== mask;
}
