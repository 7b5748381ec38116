import { channels, subscribableEvents } from '@notify/core';
import Type, { type Static } from 'typebox';
import { WebhookEvent } from './events.ts';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { tagList } from './labels.ts';

const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An https URL that resolves to a public address.',
  examples: ['https://example.com/hooks/messages'],
});

const events = Type.Array(WebhookEvent, { minItems: 1, uniqueItems: true });

const description = Type.Optional(
  Type.String({ maxLength: 500, description: 'A label for the webhook. An empty string removes it.' }),
);

/** The filters of a webhook. */
const filters = {
  channelAccountIds: nullable(
    Type.Array(uuid(), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description:
        'Only events of these accounts. Null: of all. An account that is removed stays in the list, which then matches nothing of others.',
    }),
  ),
  channels: nullable(
    Type.Array(Type.Enum([...channels]), {
      minItems: 1,
      uniqueItems: true,
      description: 'Only events of these channels. Null: of all.',
      examples: [['sms']],
    }),
  ),
  tags: nullable(
    tagList('Only events of messages and groups with one of these tags. Null: with any tags or none.'),
  ),
};

const optionalFilters = {
  channelAccountIds: Type.Optional(filters.channelAccountIds),
  channels: Type.Optional(filters.channels),
  tags: Type.Optional(filters.tags),
};

const maxEvents = Type.Integer({
  minimum: 1,
  maximum: 500,
  description: 'The most events in a post.',
  examples: [100],
});
const maxWaitMs = Type.Integer({
  minimum: 0,
  maximum: 60_000,
  description: 'How long an event waits for others, in ms. A full pack does not wait.',
  examples: [1_000],
});

/** How a webhook gets its events, in a request. */
const wantedMode = Type.Optional(
  Type.Object(
    {
      mode: Type.Enum(['single', 'batch'], {
        description:
          '`single`: a post for each event. `batch`: a post has up to `maxEvents` events, and at most 1 MB.',
      }),
      maxEvents: Type.Optional(maxEvents),
      maxWaitMs: Type.Optional(maxWaitMs),
    },
    {
      additionalProperties: false,
      description:
        'A post for each event, or packs of several. `batch` needs `maxEvents` and `maxWaitMs`; `single` has neither.',
      examples: [{ mode: 'batch', maxEvents: 100, maxWaitMs: 1_000 }],
    },
  ),
);

/** How a webhook gets its events. */
export const DeliveryMode = Type.Union(
  [
    Type.Object({ mode: Type.Literal('single') }),
    Type.Object({ mode: Type.Literal('batch'), maxEvents, maxWaitMs }),
  ],
  { description: 'A post for each event, or packs of several events.', examples: [{ mode: 'single' }] },
);
export type DeliveryMode = Static<typeof DeliveryMode>;

/** Body of `POST /v1/webhooks`. Without `events` the webhook gets the five of messages that were sent. */
export const CreateWebhook = Type.Object(
  { url, events: Type.Optional(events), ...optionalFilters, delivery: wantedMode, description },
  { additionalProperties: false },
);

/** Body of `PATCH /v1/webhooks/:id`. Omitted fields stay unchanged. */
export const ChangeWebhook = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    ...optionalFilters,
    delivery: wantedMode,
    description,
  },
  { additionalProperties: false },
);

const id = prefixedId('wh', 'The webhook ID.');

/** Whether a webhook receives events. */
export const WebhookState = Type.Enum(['healthy', 'failing', 'disabled'], {
  description:
    '`failing`: the last 5 attempts failed, so it is probed with one event at a time while the others wait. `disabled`: it receives no events.',
});

/** A webhook in a list. */
export const Webhook = Type.Object({
  id,
  url: Type.String({ examples: ['https://example.com/hooks/messages'] }),
  events: Type.Array(WebhookEvent),
  ...filters,
  delivery: DeliveryMode,
  isActive: Type.Boolean(),
  lastTriggeredAt: nullable(Timestamp),
  failureCount: Type.Integer({ description: 'Consecutive failed attempts.', examples: [0] }),
  createdAt: Timestamp,
  description: nullable(Type.String()),
  disabledReason: nullable(
    Type.String({ description: 'Why the service disabled it. Null if a user disabled it.' }),
  ),
  state: WebhookState,
  failingSince: nullable(Timestamp),
  lastFailure: nullable(
    Type.Object(
      {
        at: Timestamp,
        status: nullable(
          Type.Integer({ description: 'HTTP status of the response. Null if there was none.' }),
        ),
        error: nullable(Type.String({ description: 'Why there was no response, as in an attempt.' })),
      },
      { description: 'The latest failed attempt. Null if the last attempt succeeded.' },
    ),
  ),
  nextAttemptAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the next attempt is due. Null if nothing delays it.',
    }),
  ),
  waiting: Type.Integer({ description: 'Number of pending deliveries, counted up to 1,000.', examples: [0] }),
  lastSuccessAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'Time of the last successful delivery. Null if none of the newest 5,000 succeeded.',
    }),
  ),
  previousSecretUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until this time, deliveries are also signed with the previous secret.',
    }),
  ),
  replay: nullable(
    Type.Object(
      { reachedAt: Timestamp, until: Timestamp },
      { description: 'The running replay: how far it has got, and where it ends.' },
    ),
  ),
});
export type Webhook = Static<typeof Webhook>;

/** A new webhook, as `POST /v1/webhooks` answers it. Only this answer shows its secret. */
export const CreatedWebhook = Type.Object({
  id,
  url: Type.String({ examples: ['https://example.com/hooks/messages'] }),
  events: Type.Array(WebhookEvent),
  ...filters,
  delivery: DeliveryMode,
  isActive: Type.Boolean(),
  secret: Type.String({
    description: '`whsec_` followed by base64. Signs the deliveries.',
    examples: ['whsec_MfKQ9r8G…'],
  }),
  warning: Type.String({ examples: ['Store the secret now. It is not shown again.'] }),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

/** A webhook's new secret. Only this answer to `POST /v1/webhooks/:id/rotate-secret` shows it. */
export const RotatedSecret = Type.Object({
  id,
  secret: Type.String({
    description: '`whsec_` followed by base64. Signs the deliveries from now on.',
    examples: ['whsec_MfKQ9r8G…'],
  }),
  previousSecretUntil: Timestamp,
  warning: Type.String({ examples: ['Store the secret now. It is not shown again.'] }),
});

const deliveryId = prefixedId('dlv', 'The delivery ID: one event for one webhook.');
const eventId = prefixedId('evt', 'The event ID, as in the posted body.');

/** How far a delivery has got. */
export const DeliveryState = Type.Enum(['waiting', 'delivered', 'failed', 'skipped'], {
  description:
    '`failed`: all attempts failed, or it waited 3 days for a failing webhook. `skipped`: the webhook was disabled.',
});
export type DeliveryState = Static<typeof DeliveryState>;

/** One post of an event to a webhook, and its result. */
export const DeliveryAttempt = Type.Object({
  number: Type.Integer(),
  status: nullable(
    Type.Integer({ description: 'HTTP status of the response. Null if there was none.', examples: [204] }),
  ),
  error: nullable(
    Type.String({
      description:
        'Why there was no response: `blocked`, `dns`, `refused`, `tls`, `timeout`, `reset`, `protocol`, `too-large` or `aborted`. `secret-unreadable` means that nothing was posted, because the signing secret could not be read.',
    }),
  ),
  durationMs: Type.Integer({ examples: [38] }),
  answer: nullable(Type.String({ description: 'The first 4 KB of the response body.' })),
  at: Timestamp,
});

/** The delivery of an event to a webhook, with all its attempts. */
export const Delivery = Type.Object({
  id: deliveryId,
  eventId,
  event: nullable(Type.Enum([...subscribableEvents, 'webhook.test'])),
  messageId: nullable(
    prefixedId('msg', 'The message ID. Null for an event about a contact or a group, and for a test event.'),
  ),
  recipient: nullable(
    Type.String({
      description:
        'The recipient of the message, or who wrote it if it was received. Null without a message.',
      examples: ['+14155550123'],
    }),
  ),
  state: DeliveryState,
  reason: nullable(Type.Enum(['attempts-exhausted', 'expired'], { description: 'Why it failed.' })),
  nextAttemptAt: nullable(Timestamp),
  createdAt: Timestamp,
  endedAt: nullable(Timestamp),
  packId: nullable(
    prefixedId(
      'bat',
      'The pack that the event is posted in, as in the posted body. Null if it is posted alone, or not packed yet.',
    ),
  ),
  eventCount: Type.Integer({
    description:
      'How many events the post has. A list shows a pack once, by its first delivery, whose event, message and recipient stand here.',
    examples: [1],
  }),
  attempts: Type.Array(DeliveryAttempt),
});
export type Delivery = Static<typeof Delivery>;

/** A delivery with what was posted. */
export const DeliveryDetails = Type.Object({
  ...Delivery.properties,
  events: Type.Array(
    Type.Object({
      deliveryId,
      eventId,
      event: Delivery.properties.event,
      messageId: Delivery.properties.messageId,
      recipient: Delivery.properties.recipient,
    }),
    { description: 'The events of the post, in its order.' },
  ),
  request: Type.Object({
    method: Type.Literal('POST'),
    url: Type.String({ description: 'The present URL of the webhook.' }),
    body: nullable(
      Type.String({ description: 'The posted JSON, byte for byte. Null if the event has been deleted.' }),
    ),
  }),
  attempts: Type.Array(
    Type.Object({
      ...DeliveryAttempt.properties,
      headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() }), {
        description:
          'The headers of the request. The signatures are computed again for this response, and left out if the secret that made them is no longer stored.',
      }),
    }),
  ),
});
export type DeliveryDetails = Static<typeof DeliveryDetails>;

/** Query of `GET /v1/webhooks/:id/deliveries`. */
export const DeliveriesQuery = Type.Object(
  {
    state: Type.Optional(DeliveryState),
    failedSoFar: Type.Optional(
      Type.Boolean({
        description: 'With `true`, only deliveries that had an attempt, none of which succeeded.',
      }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
);

/** A page of deliveries, newest first. */
export const Deliveries = Type.Object({
  data: Type.Array(Delivery),
  nextCursor: nullable(Type.String({ description: 'The cursor of the next page. Null on the last page.' })),
});

/** A requested delivery that waits. */
export const RequestedDelivery = Type.Object({ deliveryId, eventId });

/** Body of `POST /v1/webhooks/:id/replay`. */
export const ReplayWebhook = Type.Object({ since: Timestamp }, { additionalProperties: false });

/** The period of a replay, and how much it posts. */
export const Replay = Type.Object({
  since: Timestamp,
  until: Timestamp,
  events: Type.Integer({
    description:
      'How many events it posts: those that were not delivered and do not wait. Counted when it begins, among the oldest 10,000 events of that time.',
    examples: [12],
  }),
  eventsComplete: Type.Boolean({
    description:
      'False if there are more than 10,000 events in that time, or if they could not be counted in time; `events` is then 0. It posts at least `events`.',
    examples: [true],
  }),
});
