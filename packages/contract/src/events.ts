import { channels, eventNames, messageTypes } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';

/** The events a webhook can ask for. */
export const MessageEvent = Type.Enum([...eventNames]);
export type MessageEvent = Static<typeof MessageEvent>;

/** The JSON that webhooks receive about a message. The database writes it (`event_body` in the migrations). */
export const EventBody = Type.Object({
  event: MessageEvent,
  messageId: prefixedId('msg', 'The message ID.'),
  error: Type.Optional(
    nullable(Type.String({ description: 'Why the message failed. Only in `message.failed`.' })),
  ),
  id: prefixedId(
    'evt',
    'The event ID. It is the same on every retry and for every webhook: use it to detect duplicates.',
  ),
  tenantId: prefixedId('ten', 'The tenant of the message.'),
  channelAccountId: nullable(uuid()),
  provider: Type.Enum([...channels], { description: 'The channel.' }),
  to: Type.String(),
  type: Type.Enum([...messageTypes]),
  status: Type.Enum(['queued', 'sent', 'delivered', 'failed'], {
    description: 'The status at the time of the event.',
  }),
  externalId: nullable(Type.String()),
  errorCode: nullable(Type.String()),
  possibleDuplicate: Type.Boolean(),
  occurredAt: Timestamp,
  sequence: Type.Integer({
    minimum: 1,
    description: 'Number of the event within the message. Events may arrive out of order.',
  }),
});
export type EventBody = Static<typeof EventBody>;

const none = Type.Null();

/** The JSON of a `webhook.test`, which is about no message. */
export const TestEventBody = Type.Object({
  event: Type.Enum(['webhook.test']),
  messageId: none,
  id: EventBody.properties.id,
  tenantId: prefixedId('ten', 'The tenant of the webhook.'),
  channelAccountId: none,
  provider: none,
  to: none,
  type: none,
  status: none,
  externalId: none,
  errorCode: none,
  possibleDuplicate: none,
  occurredAt: Timestamp,
  sequence: none,
});
