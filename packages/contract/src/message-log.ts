import { channels } from '@notify/core';
import Type, { type Static } from 'typebox';
import { MessageEvent } from './events.ts';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { Message, MessageDetails, SendText } from './messages.ts';
import { DeliveryState } from './webhooks.ts';

/** Query of `GET /v1/messages`. */
export const MessagesQuery = Type.Object(
  {
    channel: Type.Optional(Type.Enum([...channels])),
    status: Type.Optional(Type.Enum(['queued', 'sent', 'delivered', 'failed'])),
    channelAccountId: Type.Optional(uuid('Only what was to go by this account, also one that was removed.')),
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: 'The whole recipient; a + at its beginning makes no difference.',
      }),
    ),
    from: Type.Optional(
      Type.String({ format: 'date-time', description: 'Accepted then or later.', examples: timeExample() }),
    ),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'Accepted before.', examples: timeExample() }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the page before.' })),
  },
  { additionalProperties: false },
);
export type MessagesQuery = Static<typeof MessagesQuery>;

function timeExample(): string[] {
  return ['2026-01-31T09:30:00.000Z'];
}

/** A page of messages, newest first. */
export const Messages = Type.Object({
  data: Type.Array(MessageDetails),
  nextCursor: nullable(
    Type.String({ description: 'Where the next page begins; null when nothing older is left.' }),
  ),
  searchedTo: nullable(
    Type.String({
      format: 'date-time',
      description: 'How far back this page has looked; null when nothing older is left.',
    }),
  ),
});
export type Messages = Static<typeof Messages>;

/** One attempt at the provider. */
const AttemptEntry = Type.Object({
  kind: Type.Literal('attempt'),
  at: Timestamp,
  endedAt: nullable(Timestamp),
  durationMs: nullable(
    Type.Integer({ description: 'How long the provider took; null while it is under way.' }),
  ),
  number: Type.Integer(),
  part: Type.Integer({ description: 'Which part of a text that we split, from 0.' }),
  outcome: nullable(
    Type.Enum(['accepted', 'throttled', 'retry', 'rejected', 'connection-broken', 'unknown'], {
      description:
        '`retry`: certainly not sent, and tried again. `unknown`: the provider never answered, so it may have been sent. Null while it is under way.',
    }),
  ),
  providerCode: nullable(Type.String({ description: 'The provider’s own code.' })),
  text: nullable(Type.String({ description: 'What the provider answered, or what went wrong.' })),
});

/** What the provider reported after it had accepted the message. */
const ReceiptEntry = Type.Object({
  kind: Type.Literal('receipt'),
  at: Timestamp,
  status: Type.Enum(['sent', 'delivered', 'read', 'failed']),
  part: nullable(Type.Integer()),
  errorCode: nullable(Type.String()),
  providerCode: nullable(Type.String({ description: 'The provider’s own code.' })),
  text: nullable(Type.String()),
});

/** A step of the message, which is an event. */
const EventEntry = Type.Object({
  kind: Type.Literal('event'),
  at: Timestamp,
  event: MessageEvent,
  sequence: Type.Integer({ description: 'Counts the events of the message, from 1.' }),
  eventId: nullable(prefixedId('evt', 'As webhooks see it; null where the event is kept no more.')),
});

/** An event on its way to a webhook. */
const DeliveryEntry = Type.Object({
  kind: Type.Literal('delivery'),
  at: Timestamp,
  deliveryId: prefixedId('dlv', 'Found in `GET /v1/webhooks/{id}/deliveries`, with every attempt.'),
  webhookId: prefixedId('wh', 'The webhook.'),
  url: nullable(Type.String({ description: 'Of the webhook, as it is now; null where it was removed.' })),
  eventId: prefixedId('evt', 'The event, as the receiver sees it.'),
  event: MessageEvent,
  state: DeliveryState,
  reason: nullable(Type.Enum(['attempts-exhausted', 'expired'], { description: 'Why it failed.' })),
  attempts: Type.Integer({ description: 'Attempts made so far.' }),
  lastAttempt: nullable(
    Type.Object({
      at: Timestamp,
      status: nullable(Type.Integer({ description: 'Of the answer; null when none came.' })),
      error: nullable(Type.String({ description: 'What prevented an answer, as a class.' })),
      durationMs: Type.Integer(),
    }),
  ),
  nextAttemptAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
});

/** One entry of a message's timeline. */
const TimelineEntry = Type.Union([EventEntry, AttemptEntry, ReceiptEntry, DeliveryEntry]);
export type TimelineEntry = Static<typeof TimelineEntry>;

/** A message as `GET /v1/messages/:id` answers it: all that is known of it. */
export const MessageHistory = Type.Object({
  ...MessageDetails.properties,
  accountName: nullable(Type.String({ description: 'Null where there is no account, or it is gone.' })),
  accountProvider: nullable(Type.String({ description: 'Which provider the account is of: `twilio`, …' })),
  cancelable: Type.Boolean({ description: 'It waits, and nobody is sending it.' }),
  nextAttemptAt: nullable(
    Type.String({ format: 'date-time', description: 'When it is due, of one that waits.' }),
  ),
  resendOf: nullable(prefixedId('msg', 'The failed message that this one was sent in place of.')),
  resentAs: nullable(prefixedId('msg', 'The message that was sent in place of this one.')),
  timeline: Type.Array(TimelineEntry, {
    description:
      'Oldest first: steps (`event`), attempts at the provider (`attempt`), what the provider reported (`receipt`), webhook deliveries (`delivery`). Of each kind the newest 200 at most, of receipts the first 20.',
  }),
});
export type MessageHistory = Static<typeof MessageHistory>;

/** Body of `POST /v1/messages`. */
export const SendMessage = Type.Object(
  { channel: Type.Enum([...channels]), ...SendText.properties },
  { additionalProperties: false },
);
export type SendMessage = Static<typeof SendMessage>;

/** Body of `POST /v1/messages/:id/resend`. */
export const ResendMessage = Type.Object(
  {
    channelAccountId: Type.Optional(
      uuid('Without it the same account as before, or the channel’s default where that was removed.'),
    ),
  },
  { additionalProperties: false },
);

/** The message that is sent in place of one that failed. */
export const ResentMessage = Type.Object({
  ...Message.properties,
  resendOf: prefixedId('msg', 'The message that failed.'),
  possibleDuplicate: Type.Boolean({
    description: 'Nobody knows whether the one that failed has arrived: this may be the second.',
  }),
});
export type ResentMessage = Static<typeof ResentMessage>;
