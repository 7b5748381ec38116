import type { Channel } from '@notify/core';
import type { Adapter } from './channel.ts';

/** The channel of an account with these settings. A provider that serves any channel names it in its settings. */
export function channelOf(adapter: Adapter, settings: unknown): Channel {
  if (adapter.channel !== 'any') return adapter.channel;
  return (settings as { channel: Channel }).channel;
}
