import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { AllowedIps, defaultKeyScopes, ExpiresAt, keyScopes } from './scopes.ts';

const scopesField = {
  minItems: 1,
  uniqueItems: true,
  description:
    '`send`: send messages. `read`: retrieve one message by its ID, with its file. `list`: list messages. `cancel`: cancel a waiting message.',
  examples: [[...defaultKeyScopes]],
};
const KeyScopes = Type.Array(Type.Enum([...keyScopes]), scopesField);

/** Body of `POST /tenant/api-keys`. */
export const CreateApiKey = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, examples: ['production'] }),
    rateLimitOverride: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'Requests per minute. Default: the limit of the plan.',
      }),
    ),
    scopes: Type.Optional(
      Type.Array(Type.Enum([...keyScopes]), { ...scopesField, default: [...defaultKeyScopes] }),
    ),
    channelAccountIds: Type.Optional(
      Type.Array(uuid(), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description:
          'The only accounts that the key may send from and whose messages it sees. A key for one account of a channel sends from it by default. Default: all accounts.',
      }),
    ),
    expiresAt: Type.Optional(ExpiresAt),
    allowedIps: Type.Optional(AllowedIps),
  },
  { additionalProperties: false },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

const id = prefixedId('key', 'The ID of the key. Use it to revoke the key.');
const keyPrefix = Type.Literal('svc_live_');

/** How a key is narrowed, as it is shown. */
const narrowed = {
  scopes: KeyScopes,
  channelAccountIds: nullable(
    Type.Array(uuid(), { description: 'The only accounts of the key. Null: all accounts.' }),
  ),
  expiresAt: nullable(
    Type.String({ format: 'date-time', description: 'When the key ends. Null: when it is revoked.' }),
  ),
  allowedIps: nullable(
    Type.Array(Type.String(), {
      description: 'The only addresses that the key works from. Null: every address.',
      examples: [['203.0.113.0/24']],
    }),
  ),
};

/** A new API key. Only this answer shows `key`. */
export const CreatedApiKey = Type.Object({
  id,
  name: Type.String({ examples: ['production'] }),
  keyPrefix,
  key: Type.String({
    description: 'Send it in the `X-Api-Key` header. Only a hash of it is stored.',
    examples: ['svc_live_7Hq2…'],
  }),
  rateLimitOverride: nullable(Type.Integer()),
  ...narrowed,
  createdAt: Timestamp,
  warning: Type.String({ examples: ['Store this key now. It is not shown again.'] }),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;

/** An API key in a list. */
export const ApiKey = Type.Object({
  id,
  name: Type.String({ examples: ['production'] }),
  keyPrefix,
  hint: Type.String({ description: 'The last 4 characters of the key.', examples: ['x9Kd'] }),
  rateLimitOverride: nullable(Type.Integer()),
  ...narrowed,
  replacedBy: nullable(
    prefixedId(
      'key',
      'The key that replaced this one when it was rotated. This one still works until `expiresAt`.',
    ),
  ),
  createdAt: Timestamp,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Accurate to about a minute.' })),
});
export type ApiKey = Static<typeof ApiKey>;

/** Body of `POST /tenant/api-keys/:id/rotate`. */
export const RotateApiKey = Type.Object(
  {
    overlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        default: 0,
        description: 'How long the old key still works. 0: it stops at once.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type RotateApiKey = Static<typeof RotateApiKey>;
