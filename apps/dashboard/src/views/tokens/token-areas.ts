import type { ServiceToken } from '@notify/sdk';

/** What a service token may be allowed to do. */
export type TokenScope = ServiceToken['scopes'][number];

/** A scope as a choice. */
export interface ScopeChoice {
  readonly scope: TokenScope;
  /** A verb: `Read`. */
  readonly label: string;
}

/** A group of related scopes. */
export interface Area {
  readonly name: string;
  readonly about: string;
  readonly read: ScopeChoice;
  readonly write: readonly ScopeChoice[];
  /** The path of a GET that the reading scope allows with no parameter. */
  readonly path?: string;
}

/** Every scope once. */
export const areas: readonly Area[] = [
  {
    name: 'Messages',
    about: 'Messages on every channel, with their files.',
    read: { scope: 'messages:read', label: 'Read' },
    write: [
      { scope: 'messages:send', label: 'Send' },
      { scope: 'messages:manage', label: 'Cancel and resend' },
    ],
    path: '/v1/messages',
  },
  {
    name: 'Conversations',
    about: 'Messages from contacts. Write also creates pairing links.',
    read: { scope: 'conversations:read', label: 'Read' },
    write: [{ scope: 'conversations:write', label: 'Write' }],
    path: '/v1/conversations',
  },
  {
    name: 'Events',
    about: 'The list and the stream of events.',
    read: { scope: 'events:read', label: 'Read' },
    write: [],
    path: '/v1/events',
  },
  {
    name: 'Webhooks',
    about: 'Endpoints, their secrets and their deliveries.',
    read: { scope: 'webhooks:read', label: 'Read' },
    write: [{ scope: 'webhooks:write', label: 'Write' }],
    path: '/v1/webhooks',
  },
  {
    name: 'Accounts',
    about: 'Connected channels and their settings.',
    read: { scope: 'accounts:read', label: 'Read' },
    write: [
      { scope: 'accounts:write', label: 'Write' },
      { scope: 'accounts:link', label: 'Link phones' },
    ],
    path: '/v1/channel-accounts',
  },
  {
    name: 'Templates',
    about: 'WhatsApp templates. Write syncs them.',
    read: { scope: 'templates:read', label: 'Read' },
    write: [{ scope: 'templates:write', label: 'Write' }],
  },
  {
    name: 'Consent',
    about: 'Who opted out, and who opted in again.',
    read: { scope: 'consent:read', label: 'Read' },
    write: [{ scope: 'consent:write', label: 'Write' }],
    path: '/v1/consent',
  },
  {
    name: 'API keys',
    about: 'Write creates, rotates and revokes keys, including keys that send.',
    read: { scope: 'keys:read', label: 'Read' },
    write: [{ scope: 'keys:write', label: 'Write' }],
    path: '/tenant/api-keys',
  },
  {
    name: 'Usage',
    about: 'Counts of sent and received messages.',
    read: { scope: 'usage:read', label: 'Read' },
    write: [],
    path: '/v1/usage',
  },
];

const everyScope = areas.flatMap(({ read, write }) => [read, ...write]).map(({ scope }) => scope);

/** Usual selections of scopes. */
export const presets: readonly { readonly label: string; readonly scopes: readonly TokenScope[] }[] = [
  { label: 'Read everything', scopes: areas.map(({ read }) => read.scope) },
  { label: 'CI: send and read', scopes: ['messages:read', 'messages:send', 'events:read'] },
  { label: 'Command line', scopes: everyScope },
];

/** Whether two selections are the same, in whatever order. */
export function isSameScopes(one: readonly TokenScope[], other: readonly TokenScope[]): boolean {
  return one.length === other.length && one.every((scope) => other.includes(scope));
}

/** A selection in words, one for each area: `Messages (read, send)`. */
export function scopesInWords(scopes: readonly TokenScope[]): string[] {
  if (isSameScopes(scopes, everyScope)) return ['Everything'];
  const preset = presets.find((one) => isSameScopes(one.scopes, scopes));
  if (preset === presets[0]) return [preset!.label];
  return areas.flatMap(({ name, read, write }) => {
    const chosen = [read, ...write].filter(({ scope }) => scopes.includes(scope));
    return chosen.length === 0
      ? []
      : [`${name} (${chosen.map(({ label }) => label.toLowerCase()).join(', ')})`];
  });
}

/** A GET that works with these scopes; null if there is none. */
export function pathFor(scopes: readonly TokenScope[]): string | null {
  return areas.find(({ read, path }) => path !== undefined && scopes.includes(read.scope))?.path ?? null;
}
