import type { Channel } from '@notify/sdk';

/** The channels of the service. `satisfies` refuses to compile when the API has another one. */
export const channels = Object.keys({
  whatsapp: true,
  telegram: true,
  sms: true,
} satisfies Record<Channel, true>) as Channel[];
