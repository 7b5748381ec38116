import { eventNames } from '@notify/core';
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

const description = Type.Optional(Type.String({ maxLength: 500, description: 'An empty one is none.' }));

/** Body of `POST /v1/webhooks`. Without `events` the webhook gets all five. */
export const CreateWebhook = Type.Object(
  { url, events: Type.Optional(events), description },
  { additionalProperties: false },
);

/** Body of `PATCH /v1/webhooks/:id`. What is left out stays as it is. */
export const ChangeWebhook = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description,
  },
  { additionalProperties: false },
);

const id = prefixedId('wh', 'The webhook.');

const WebhookState = Type.Enum(['healthy', 'failing', 'disabled'], {
  description:
    '`failing`: its last 5 attempts failed, so it is tried one event at a time, and the rest waits. `disabled`: it gets nothing.',
});

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
  state: WebhookState,
  failingSince: nullable(Timestamp),
  nextAttemptAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'Nothing is posted before; null when nothing holds it up.',
    }),
  ),
  waiting: Type.Integer({ description: 'Deliveries that wait, counted up to 1,000.' }),
  lastSuccessAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When a delivery last got through; null when none of the newest 5,000 did.',
    }),
  ),
  previousSecretUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until then the last secret that was replaced signs too.',
    }),
  ),
  replay: nullable(
    Type.Object(
      { reachedAt: Timestamp, until: Timestamp },
      { description: 'The replay that goes on: how far it has come, and where it ends.' },
    ),
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

/** A webhook's new secret, as `POST /v1/webhooks/:id/rotate-secret` answers it: the only time it is shown. */
export const RotatedSecret = Type.Object({
  id,
  secret: Type.String({ description: '`whsec_` and base64; deliveries are signed with it from now on.' }),
  previousSecretUntil: Timestamp,
  warning: Type.String(),
});

const deliveryId = prefixedId('dlv', 'The delivery: one event on its way to one webhook.');
const eventId = prefixedId('evt', 'The event, as the receiver sees it.');

export const DeliveryState = Type.Enum(['waiting', 'delivered', 'failed', 'skipped'], {
  description:
    '`failed`: its attempts are used up, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled.',
});
export type DeliveryState = Static<typeof DeliveryState>;

const DeliveryAttempt = Type.Object({
  number: Type.Integer(),
  status: nullable(Type.Integer({ description: 'Of the answer; null when none came.' })),
  error: nullable(
    Type.String({
      description:
        'What prevented an answer: `blocked`, `dns`, `refused`, `tls`, `timeout`, `reset`, `protocol`, `too-large` or `aborted`; `secret-unreadable` where nothing was posted, since there was no secret to sign it with.',
    }),
  ),
  durationMs: Type.Integer(),
  answer: nullable(Type.String({ description: 'The first 4 KB of the answer.' })),
  at: Timestamp,
});

/** An event on its way to a webhook, with every attempt at it. */
export const Delivery = Type.Object({
  id: deliveryId,
  eventId,
  event: nullable(Type.Enum([...eventNames, 'webhook.test'])),
  messageId: nullable(prefixedId('msg', 'The message it is about; null for a test.')),
  state: DeliveryState,
  reason: nullable(Type.Enum(['attempts-exhausted', 'expired'], { description: 'Why it failed.' })),
  nextAttemptAt: nullable(Timestamp),
  createdAt: Timestamp,
  endedAt: nullable(Timestamp),
  attempts: Type.Array(DeliveryAttempt),
});
export type Delivery = Static<typeof Delivery>;

/** Query of `GET /v1/webhooks/:id/deliveries`. */
export const DeliveriesQuery = Type.Object(
  {
    state: Type.Optional(DeliveryState),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the page before.' })),
  },
  { additionalProperties: false },
);

/** A page of deliveries, newest first. */
export const Deliveries = Type.Object({
  data: Type.Array(Delivery),
  nextCursor: nullable(Type.String({ description: 'Where the next page begins; null on the last.' })),
});

/** A delivery that was asked for and waits. */
export const RequestedDelivery = Type.Object({ deliveryId, eventId });

/** Body of `POST /v1/webhooks/:id/replay`. */
export const ReplayWebhook = Type.Object({ since: Timestamp }, { additionalProperties: false });

/** The span of time that a replay goes through. */
export const Replay = Type.Object({ since: Timestamp, until: Timestamp });
