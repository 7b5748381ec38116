import Type, { type Static } from 'typebox';
import { MessageEvent } from './events.ts';
import { nullable, prefixedId, Timestamp } from './fields.ts';

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An https URL that leads to a public address.',
  examples: ['https://example.com/hooks/messages'],
});

const events = Type.Array(MessageEvent, { minItems: 1, uniqueItems: true });

/** Body of `POST /v1/webhooks`. Without `events` the webhook gets all five. */
export const CreateWebhook = Type.Object(
  { url, events: Type.Optional(events) },
  { additionalProperties: false },
);

const id = prefixedId('wh', 'The webhook.');

/** A webhook as it is listed. */
export const Webhook = Type.Object({
  id,
  url: Type.String(),
  events: Type.Array(MessageEvent),
  isActive: Type.Boolean(),
  lastTriggeredAt: nullable(Timestamp),
  failureCount: Type.Integer({ description: 'Failed attempts in a row.' }),
  createdAt: Timestamp,
  description: nullable(Type.String()),
  disabledReason: nullable(
    Type.String({ description: 'Why the service disabled it; null when somebody did.' }),
  ),
});
export type Webhook = Static<typeof Webhook>;

/** A webhook as `POST /v1/webhooks` answers it: the only time its secret is shown. */
export const CreatedWebhook = Type.Object({
  id,
  url: Type.String(),
  events: Type.Array(MessageEvent),
  isActive: Type.Boolean(),
  secret: Type.String({ description: '`whsec_` and base64; deliveries are signed with it.' }),
  warning: Type.String(),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;
