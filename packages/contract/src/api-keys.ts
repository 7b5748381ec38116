import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp } from './fields.ts';

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
  },
  { additionalProperties: false },
);

const id = prefixedId('key', 'The ID of the key. Use it to revoke the key.');
const keyPrefix = Type.Literal('svc_live_');

/** A new API key. Only this answer shows `key`. */
export const CreatedApiKey = Type.Object({
  id,
  name: Type.String({ examples: ['production'] }),
  keyPrefix,
  key: Type.String({
    description: 'Send it in the `X-Api-Key` header. Only a hash of it is stored.',
    examples: ['svc_live_7Hq2…'],
  }),
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
  createdAt: Timestamp,
  lastUsedAt: nullable(Type.String({ format: 'date-time', description: 'Accurate to about a minute.' })),
});
export type ApiKey = Static<typeof ApiKey>;
