import { channels, deliveryStandings, messageStandings } from '@notify/core';
import Type, { type Static } from 'typebox';
import { MessageEvent } from './events.ts';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { tagFilter } from './labels.ts';
import { InteractiveContent } from './interactive.ts';
import {
  longerIfFormatted,
  Message,
  MessageDetails,
  MessageRecord,
  SendMedia,
  SendTemplate,
  SendText,
} from './messages.ts';
import { DeliveryState } from './webhooks.ts';

/** Query of `GET /v1/messages`. */
export const MessagesQuery = Type.Object(
  {
    channel: Type.Optional(Type.Enum([...channels])),
    direction: Type.Optional(
      Type.Enum(['outbound', 'inbound', 'all'], {
        default: 'outbound',
        description: '`inbound`: messages that people wrote to an account.',
      }),
    ),
    status: Type.Optional(Type.Enum(['queued', 'sent', 'delivered', 'failed'])),
    channelAccountId: Type.Optional(
      uuid('Only messages of this account. The account may have been removed.'),
    ),
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'The full recipient. In a phone number, a leading +, spaces, dashes and brackets make no difference, and in a username capitals. The other spelling of a number whose country has two is the same recipient.',
      }),
    ),
    sender: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'The full address of the person who wrote, spelled as freely as `to`. Only inbound messages have one.',
      }),
    ),
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only messages accepted or received at or after this time.',
        examples: ['2026-01-01T00:00:00.000Z'],
      }),
    ),
    until: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only messages accepted or received before this time.',
        examples: ['2026-01-31T09:30:00.000Z'],
      }),
    ),
    errorCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only messages that failed with this code.',
        examples: ['recipient-rejected'],
      }),
    ),
    externalId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'Only messages with exactly this ID of the provider. Of a removed account they are found only together with `channelAccountId`.',
        examples: ['SM0123456789'],
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Only messages of the request with exactly this idempotency key, as long as the key is known: usually 7 days, and while its message waits. The key of a group or a verification finds the messages of its routes.',
        examples: ['order-4711'],
      }),
    ),
    groupId: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Only messages that are routes of this group.',
        examples: ['grp_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'],
      }),
    ),
    tag: tagFilter('messages'),
    scheduled: Type.Optional(
      Type.Boolean({ description: 'Whether they wait for their `sendAt`. By default both are listed.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
  },
  { additionalProperties: false },
);
export type MessagesQuery = Static<typeof MessagesQuery>;

const place = {
  nextCursor: nullable(
    Type.String({ description: 'The cursor of the next page. Null if there are no older messages.' }),
  ),
  searchedTo: nullable(
    Type.String({
      format: 'date-time',
      description: 'How far back this page searched. Null if there are no older messages.',
    }),
  ),
};

/** A page of messages, newest first. */
export const Messages = Type.Object({ data: Type.Array(MessageDetails), ...place });
export type Messages = Static<typeof Messages>;

/** A page of messages as their tenant sees them, newest first. */
export const MessageRecords = Type.Object({ data: Type.Array(MessageRecord), ...place });
export type MessageRecords = Static<typeof MessageRecords>;

/** Why something waits, in words. */
function standing(codes: readonly string[], example: string, description: string) {
  return nullable(
    Type.Object(
      {
        code: Type.String({
          description: `One of ${codes.map((code) => `\`${code}\``).join(', ')}. More may follow.`,
          examples: [codes[0]!],
        }),
        text: Type.String({ description: 'The same in one or two sentences.', examples: [example] }),
        until: nullable(
          Type.String({
            format: 'date-time',
            description: 'When this ends, or when the next step is due. Null if nobody can say.',
          }),
        ),
      },
      { description },
    ),
  );
}

/** One attempt at the provider. */
export const AttemptEntry = Type.Object({
  kind: Type.Literal('attempt'),
  at: Timestamp,
  endedAt: nullable(Timestamp),
  durationMs: nullable(Type.Integer({ description: 'How long the provider took. Null while in progress.' })),
  number: Type.Integer(),
  part: Type.Integer({ description: 'The part of a split text, starting at 0.' }),
  outcome: nullable(
    Type.Enum(['accepted', 'throttled', 'retry', 'rejected', 'connection-broken', 'unknown'], {
      description:
        '`retry`: not sent, and retried. `unknown`: the provider never responded, so it may have been sent. Null while in progress.',
    }),
  ),
  providerCode: nullable(Type.String({ description: 'The provider’s error code.' })),
  text: nullable(
    Type.String({
      description:
        'The provider’s response, or what went wrong. For an account with `senders`, also which sender the message left from, and why.',
    }),
  ),
});

/** A delivery receipt of the provider. */
export const ReceiptEntry = Type.Object({
  kind: Type.Literal('receipt'),
  at: Timestamp,
  status: Type.Enum(['sent', 'delivered', 'read', 'failed']),
  part: nullable(Type.Integer()),
  errorCode: nullable(Type.String()),
  providerCode: nullable(Type.String({ description: 'The provider’s error code.' })),
  text: nullable(Type.String()),
});

/** A status change of the message, as an event. */
export const EventEntry = Type.Object({
  kind: Type.Literal('event'),
  at: Timestamp,
  event: MessageEvent,
  sequence: Type.Integer({ description: 'Number of the event within the message, starting at 1.' }),
  eventId: nullable(
    prefixedId('evt', 'The event ID, as in the posted body. Null if the event has been deleted.'),
  ),
});

/** The delivery of an event to a webhook. */
export const DeliveryEntry = Type.Object({
  kind: Type.Literal('delivery'),
  at: Timestamp,
  deliveryId: prefixedId(
    'dlv',
    'The delivery ID. `GET /v1/webhooks/{id}/deliveries` lists it with all attempts.',
  ),
  webhookId: prefixedId('wh', 'The webhook ID.'),
  url: nullable(
    Type.String({ description: 'The current URL of the webhook. Null if the webhook was removed.' }),
  ),
  eventId: prefixedId('evt', 'The event ID, as in the posted body.'),
  event: MessageEvent,
  state: DeliveryState,
  reason: nullable(Type.Enum(['attempts-exhausted', 'expired'], { description: 'Why the delivery failed.' })),
  attempts: Type.Integer({ description: 'Number of attempts so far.' }),
  lastAttempt: nullable(
    Type.Object({
      at: Timestamp,
      status: nullable(Type.Integer({ description: 'HTTP status of the response. Null if there was none.' })),
      error: nullable(Type.String({ description: 'Why there was no response, as a code.' })),
      durationMs: Type.Integer(),
    }),
  ),
  nextAttemptAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  standing: standing(
    deliveryStandings,
    'The webhook has failed 6 times in a row (last: HTTP 500). One delivery at a time probes it until one succeeds.',
    'Why the delivery waits. Null if it no longer does.',
  ),
});

/** One entry of a message's timeline. */
export const TimelineEntry = Type.Union([EventEntry, AttemptEntry, ReceiptEntry, DeliveryEntry]);
export type TimelineEntry = Static<typeof TimelineEntry>;

/** A message with all its details, as `GET /v1/messages/:id` answers it. */
export const MessageHistory = Type.Object({
  ...MessageRecord.properties,
  accountName: nullable(
    Type.String({ description: 'Null if the message has no account or the account was removed.' }),
  ),
  accountProvider: nullable(Type.String({ description: 'The provider of the account: `twilio`, …' })),
  cancelable: Type.Boolean({ description: 'True if the message is waiting and not being sent.' }),
  nextAttemptAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the next attempt is due, while the message is waiting.',
    }),
  ),
  standing: standing(
    messageStandings,
    'The account is paused (Too Many Requests).',
    'Why the message is where it is, while it is `queued` or `sent`. Null once it has ended, and for messages that people wrote.',
  ),
  resendOf: nullable(prefixedId('msg', 'The failed message that this one replaces.')),
  resentAs: nullable(prefixedId('msg', 'The message that replaces this one.')),
  timeline: Type.Array(TimelineEntry, {
    description:
      'Oldest first: status changes (`event`), attempts to send (`attempt`), delivery receipts (`receipt`) and webhook deliveries (`delivery`). At most the newest 200 of each kind, and the first 20 receipts.',
  }),
});
export type MessageHistory = Static<typeof MessageHistory>;

/** Body of `POST /v1/messages`: that of a send of a text, a file or a template, or buttons or a list in `interactive`, and the channel. */
export const SendMessage = Type.Object(
  {
    channel: Type.Enum([...channels]),
    ...SendText.properties,
    text: Type.Optional(SendText.properties.text),
    ...SendMedia.properties,
    type: Type.Optional(SendMedia.properties.type),
    template: Type.Optional(SendTemplate.properties.template),
    interactive: Type.Optional(InteractiveContent),
  },
  {
    additionalProperties: false,
    ...longerIfFormatted,
    description: 'One of `text`, `type` (with `url` or `fileId`), `template` and `interactive` is required.',
    examples: [{ channel: 'sms', to: '+15550001000', text: 'Hello from Notify' }],
  },
);
export type SendMessage = Static<typeof SendMessage>;

const { channel, channelAccountId, to, tag, from, until, scheduled } = MessagesQuery.properties;

/** Body of `POST /v1/messages/cancel`. */
export const CancelMessages = Type.Object(
  {
    filter: Type.Object(
      {
        channel,
        status: Type.Optional(
          Type.Enum(['queued'], {
            description: 'Only queued messages are canceled. Alone, it stands for all of them.',
          }),
        ),
        channelAccountId,
        to,
        tag,
        from,
        until,
        scheduled,
        scheduledFrom: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'Only messages scheduled for this time or later.',
            examples: ['2026-01-01T00:00:00.000Z'],
          }),
        ),
        scheduledUntil: Type.Optional(
          Type.String({
            format: 'date-time',
            description: 'Only messages scheduled for before this time.',
            examples: ['2026-01-31T09:30:00.000Z'],
          }),
        ),
      },
      {
        additionalProperties: false,
        description:
          'Messages must match all fields. At least one is required, so that a filter that lost its fields does not cancel everything.',
      },
    ),
    dryRun: Type.Optional(
      Type.Boolean({ default: false, description: 'Only counts what would be canceled.' }),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ filter: { to: '+15550001000', scheduled: true }, dryRun: true }],
  },
);
export type CancelMessages = Static<typeof CancelMessages>;

/** The answer to `POST /v1/messages/cancel`. */
export const CanceledMessages = Type.Object({
  matched: Type.Integer({
    description: 'Waiting messages that match, at most 10,000.',
    examples: [3],
  }),
  canceled: Type.Integer({
    description: 'Those that were canceled. The others have left in the meantime. 0 for a dry run.',
    examples: [3],
  }),
  more: Type.Boolean({ description: 'Whether further messages match. Repeat the request for them.' }),
});
export type CanceledMessages = Static<typeof CanceledMessages>;

/** Body of `POST /v1/messages/:id/resend`. */
export const ResendMessage = Type.Object(
  {
    channelAccountId: Type.Optional(
      uuid(
        'Default: the account of the failed message, or the default account of the channel if that was removed.',
      ),
    ),
  },
  { additionalProperties: false },
);

/** The message that replaces a failed one. */
export const ResentMessage = Type.Object({
  ...Message.properties,
  resendOf: prefixedId('msg', 'The failed message.'),
  possibleDuplicate: Type.Boolean({
    description: 'True if the failed message may have arrived, so this one may be a duplicate.',
  }),
});
export type ResentMessage = Static<typeof ResentMessage>;
