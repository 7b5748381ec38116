import {
  channels,
  eventNames,
  groupEventNames,
  inboundTypes,
  messageTypes,
  subscribableEvents,
} from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { replyToMetadata, toldLabels } from './labels.ts';
import { ContactProfile, InboundBody } from './messages.ts';

/** The events a webhook can ask for. */
export const WebhookEvent = Type.Enum([...subscribableEvents]);
/** The events of a message. */
export const MessageEvent = Type.Enum([...eventNames, 'message.received']);
export type MessageEvent = Static<typeof MessageEvent>;

/** The JSON that webhooks receive about a message that was sent. The database writes it (`event_body` in the migrations). */
export const EventBody = Type.Object({
  event: Type.Enum([...eventNames]),
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
  groupId: Type.Optional(
    prefixedId('grp', 'The group of which the message is a route. Only in events of such messages.'),
  ),
  ...toldLabels,
});
export type EventBody = Static<typeof EventBody>;

const none = Type.Null();
const { id, provider, occurredAt } = EventBody.properties;

/**
 * The JSON that webhooks receive about a message that a person wrote. The database writes it (`received_event_body` in
 * the migrations).
 */
export const ReceivedEventBody = Type.Object({
  event: Type.Enum(['message.received']),
  messageId: prefixedId('msg', 'The message ID. `replyTo` of a send quotes it.'),
  id,
  tenantId: prefixedId('ten', 'The tenant of the account.'),
  channelAccountId: uuid('The account that the person wrote to.'),
  provider,
  direction: Type.Enum(['inbound']),
  from: Type.String({ description: 'Who wrote, as `to` of an answer.' }),
  to: Type.String({ description: 'The account’s own address. Empty if it is unknown.' }),
  type: Type.Enum([...inboundTypes]),
  body: InboundBody,
  contact: nullable(ContactProfile),
  replyTo: nullable(prefixedId('msg', 'The message that this one answers, reacts to or was pressed on.')),
  threadId: Type.Optional(
    Type.Integer({ description: 'The topic of a Telegram chat. Only in events of messages in a topic.' }),
  ),
  status: Type.Enum(['delivered']),
  externalId: Type.String({ description: "The provider's message ID." }),
  errorCode: none,
  possibleDuplicate: Type.Boolean(),
  occurredAt,
  sequence: Type.Literal(1),
  replyToMetadata,
});
export type ReceivedEventBody = Static<typeof ReceivedEventBody>;

/** The JSON that webhooks receive about a contact. The database writes it (`contact_event_body` in the migrations). */
export const ContactEventBody = Type.Object({
  event: Type.Enum(['contact.paired', 'contact.opted-out', 'contact.opted-in']),
  messageId: none,
  id,
  tenantId: prefixedId('ten', 'The tenant of the account.'),
  channelAccountId: uuid('The account that the contact belongs to.'),
  provider,
  to: Type.String({ description: 'The contact, as `to` of a send.' }),
  reference: Type.Optional(
    Type.String({ description: 'What the pairing link was made for. Only in `contact.paired`.' }),
  ),
  source: Type.Optional(
    Type.Enum(['keyword', 'provider', 'api'], {
      description: 'How it came to be known. Only in `contact.opted-out` and `contact.opted-in`.',
    }),
  ),
  occurredAt,
  sequence: none,
});
export type ContactEventBody = Static<typeof ContactEventBody>;

/** The JSON that webhooks receive about a group. The database writes it (`group_event_body` in the migrations). */
export const GroupEventBody = Type.Object({
  event: Type.Enum([...groupEventNames]),
  groupId: prefixedId('grp', 'The group ID, as the send returned it.'),
  messageId: prefixedId(
    'msg',
    'The message that was delivered first, or else the last one. The next fields are its own.',
  ),
  error: Type.Optional(
    nullable(Type.String({ description: 'Why the last message failed. Only in `group.failed`.' })),
  ),
  id,
  tenantId: prefixedId('ten', 'The tenant of the group.'),
  channelAccountId: nullable(uuid()),
  provider,
  to: Type.String(),
  type: Type.Enum([...messageTypes]),
  status: Type.Enum(['delivered', 'failed'], { description: 'The status of the group.' }),
  errorCode: nullable(Type.String()),
  deliveredTwice: Type.Boolean({
    description: 'Whether more than one of its messages was delivered so far.',
  }),
  occurredAt,
  sequence: Type.Integer({ minimum: 1, description: 'Number of the event within the group.' }),
  ...toldLabels,
});
export type GroupEventBody = Static<typeof GroupEventBody>;

/** The JSON that webhooks receive about verifications. The database writes it (`verification_held_body` in the migrations). */
export const VerificationEventBody = Type.Object({
  event: Type.Enum(['verification.held']),
  messageId: none,
  id,
  tenantId: prefixedId('ten', 'The tenant whose verifications are held.'),
  channelAccountId: none,
  provider: none,
  prefix: Type.String({ description: 'The country code whose starts are refused.', examples: ['+49'] }),
  starts: Type.Integer({ description: 'The latest verifications that had time for a check.' }),
  checked: Type.Integer({ description: 'Those of them that were checked, with whatever code.' }),
  approved: Type.Integer({ description: 'Those of them whose code was entered. They decide.' }),
  heldUntil: Type.String({
    format: 'date-time',
    description: 'When starts are taken again, unless `PUT /v1/verification-limits` releases them before.',
  }),
  occurredAt,
  sequence: none,
});
export type VerificationEventBody = Static<typeof VerificationEventBody>;

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

/** The JSON of every event that webhooks receive. */
export const WebhookEventBody = Type.Union(
  [EventBody, ReceivedEventBody, ContactEventBody, GroupEventBody, VerificationEventBody, TestEventBody],
  { description: 'The body of an event. `event` tells the kinds apart.' },
);
export type WebhookEventBody = Static<typeof WebhookEventBody>;
