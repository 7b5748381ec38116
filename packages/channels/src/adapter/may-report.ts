import type { Channel } from '@notify/core';
import type { Capabilities } from './channel.ts';

/**
 * Whether a provider can report what became of a message on the channel. `hasAddress`: whether the service has an address to
 * which the provider can post receipts.
 */
export function mayReport(
  { reportsDelivery, silentOn = [], callbacks }: Capabilities,
  channel: Channel,
  hasAddress: boolean,
): boolean {
  return reportsDelivery && !silentOn.includes(channel) && (!callbacks || hasAddress);
}
