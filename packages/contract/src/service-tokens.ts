import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp } from './fields.ts';
import { AllowedIps, ExpiresAt, tokenScopes } from './scopes.ts';

const TokenScopes = Type.Array(Type.Enum([...tokenScopes]), {
  minItems: 1,
  uniqueItems: true,
  description: 'What the token may do. Each operation names the scope that it needs.',
  examples: [['messages:read', 'events:read']],
});

/** Body of `POST /tenant/service-tokens`. */
export const CreateServiceToken = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, examples: ['deployment'] }),
    scopes: TokenScopes,
    expiresAt: Type.Optional(ExpiresAt),
    allowedIps: Type.Optional(AllowedIps),
  },
  { additionalProperties: false },
);
export type CreateServiceToken = Static<typeof CreateServiceToken>;

const shown = {
  id: prefixedId('tok', 'The ID of the token. Use it to revoke the token.'),
  name: Type.String({ examples: ['deployment'] }),
  tokenPrefix: Type.Literal('svc_tok_'),
  hint: Type.String({ description: 'The last 4 characters of the token.', examples: ['x9Kd'] }),
  scopes: TokenScopes,
  expiresAt: nullable(
    Type.String({ format: 'date-time', description: 'When the token ends. Null: when it is revoked.' }),
  ),
  allowedIps: nullable(
    Type.Array(Type.String(), {
      description: 'The only addresses that the token works from. Null: every address.',
      examples: [['203.0.113.0/24']],
    }),
  ),
  createdAt: Timestamp,
};

/** A new service token. Only this answer shows `token`. */
export const CreatedServiceToken = Type.Object({
  ...shown,
  token: Type.String({
    description: 'Send it in the `Authorization` header as `Bearer …`. Only a hash of it is stored.',
    examples: ['svc_tok_7Hq2…'],
  }),
  warning: Type.String({ examples: ['Store this token now. It is not shown again.'] }),
});
export type CreatedServiceToken = Static<typeof CreatedServiceToken>;

/** A service token in a list. */
export const ServiceToken = Type.Object({
  ...shown,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Accurate to about a minute.' })),
});
export type ServiceToken = Static<typeof ServiceToken>;
