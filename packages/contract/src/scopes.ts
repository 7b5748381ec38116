import Type, { type Static } from 'typebox';

/** What an API key may be allowed to do. `read` is one message by its ID; `list` is all of them. */
export const keyScopes = [
  'send',
  'read',
  'list',
  'cancel',
  'conversations:read',
  'conversations:write',
] as const;
export type KeyScope = (typeof keyScopes)[number];
/** The scopes of a key that is created without any, and of keys that are older than scopes. */
export const defaultKeyScopes: readonly KeyScope[] = ['send', 'read'];

/** What a service token may be allowed to do. `messages:manage` is to cancel, resend and change. */
export const tokenScopes = [
  'messages:read',
  'messages:send',
  'messages:manage',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'accounts:read',
  'accounts:write',
  'accounts:link',
  'templates:read',
  'templates:write',
  'keys:read',
  'keys:write',
  'usage:read',
  'consent:read',
  'consent:write',
  'conversations:read',
  'conversations:write',
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** Up to 20 blocks of addresses. */
export const AllowedIps = Type.Array(
  Type.String({ minLength: 1, maxLength: 49, examples: ['203.0.113.0/24'] }),
  {
    minItems: 1,
    maxItems: 20,
    description:
      'Addresses or CIDR blocks, IPv4 or IPv6. Requests from elsewhere get 403. Behind a proxy, set `TRUSTED_PROXIES`.',
  },
);
export type AllowedIps = Static<typeof AllowedIps>;

/** The end of a credential. */
export const ExpiresAt = Type.String({
  format: 'date-time',
  description: 'A time in the future. After it the credential gets 401.',
  examples: ['2027-01-31T09:30:00.000Z'],
});
