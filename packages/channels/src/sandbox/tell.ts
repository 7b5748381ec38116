import type { Channel, NotToldReason, Told } from '@notify/core';
import type { TellRequest } from '../adapter/channel.ts';

/** What can be told on each channel: what its real providers can. */
const told: Readonly<Record<Channel, readonly TellRequest['state'][]>> = {
  sms: [],
  telegram: ['typing'],
  whatsapp: ['read', 'typing'],
};

/** By the last four digits of the person, as far as they choose an ending that telling can have. */
const endings: Readonly<Record<string, NotToldReason>> = {
  '0001': 'refused',
  '0003': 'unavailable',
  '0006': 'rate-limited',
};

/** Tells nobody, and answers as a provider of the channel would. */
export function tell({ state, externalIds }: TellRequest, channel: Channel, digits: string): Told {
  if (!told[channel].includes(state)) return { delivered: false, reason: 'not-supported' };
  if (channel === 'whatsapp' && externalIds.length === 0) return { delivered: false, reason: 'no-message' };
  const reason = endings[digits];
  return reason === undefined ? { delivered: true } : { delivered: false, reason };
}
