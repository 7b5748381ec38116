import { channels, eventNames, messageTypes } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';

/** The events a webhook can ask for. */
export const MessageEvent = Type.Enum([...eventNames]);
export type MessageEvent = Static<typeof MessageEvent>;

/** The JSON that webhooks receive about a message. The database writes it (`event_body` in the migrations). */
export const EventBody = Type.Object({
  event: MessageEvent,
  messageId: prefixedId('msg', 'The message it is about.'),
  error: Type.Optional(nullable(Type.String({ description: 'Why it failed; on `message.failed` only.' }))),
  id: prefixedId(
    'evt',
    'The same over every retry and to every webhook: what a receiver recognises repeats by.',
  ),
  tenantId: prefixedId('ten', 'Whose message it is.'),
  channelAccountId: nullable(uuid()),
  provider: Type.Enum([...channels], { description: 'The name of the channel.' }),
  to: Type.String(),
  type: Type.Enum([...messageTypes]),
  status: Type.Enum(['queued', 'sent', 'delivered', 'failed'], {
    description: 'The status as of this event.',
  }),
  externalId: nullable(Type.String()),
  errorCode: nullable(Type.String()),
  possibleDuplicate: Type.Boolean(),
  occurredAt: Timestamp,
  sequence: Type.Integer({
    minimum: 1,
    description: 'Counts the events of a message, which may arrive out of order.',
  }),
});
export type EventBody = Static<typeof EventBody>;
