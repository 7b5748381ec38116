import { type Adapter, checkSettings } from '@notify/channels';
import type { Channel } from '@notify/core';
import { invalidRequest } from '../http/problem.ts';

/** Refuses settings that the provider's schema or its own check finds wrong, naming each field. */
export function demandSettings(adapter: Adapter, settings: unknown): void {
  const faults = checkSettings(adapter, settings);
  if (faults.length === 0) return;
  throw invalidRequest(...faults.map(({ at, message }) => ({ at: `body/settings${at}`, message })));
}

/** The channel an account with these settings serves; a provider of any channel has it in its settings. */
export function channelOf(adapter: Adapter, settings: unknown): Channel {
  if (adapter.channel !== 'any') return adapter.channel;
  return (settings as { channel: Channel }).channel;
}

/** How many messages a second an account with these settings may send; null where its provider has no limit. */
export function paceOf(adapter: Adapter, settings: unknown): number | null {
  return adapter.pace?.(settings).perSecond ?? null;
}
