import type { KeyScope } from '@notify/sdk';
import { futureTime, list } from '../options.ts';

/** What an API key can be allowed. `satisfies` refuses to compile when the API has another scope. */
export const keyScopes = Object.keys({
  send: true,
  read: true,
  list: true,
  cancel: true,
} satisfies Record<KeyScope, true>) as KeyScope[];

/** Options that narrow a new key. */
export const narrowingOptions = {
  expiresAt: futureTime('<time>', 'When the key ends.'),
  allowedIps: list('<cidrs>', 'The only addresses that it works from.'),
};
