import { channels, notToldReasons } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { listedTimes, paging } from './lists.ts';
import { ContactProfile, MessageDetails } from './messages.ts';

/** Query of `GET /v1/conversations`. */
export const ConversationsQuery = Type.Object(
  {
    channel: Type.Optional(Type.Enum([...channels])),
    channelAccountId: Type.Optional(
      uuid('Only conversations of this account. The account may have been removed.'),
    ),
    to: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description:
          'Only conversations with this contact. The spellings of one person are one: with or without a leading +, and where a country’s numbers have two spellings, either.',
      }),
    ),
    unread: Type.Optional(
      Type.Boolean({
        description: 'Whether they have unread messages. By default both are listed.',
      }),
    ),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Only conversations whose contact has this text in the name, the username or the address. Upper and lower case make no difference. For a whole address, `to` is faster and knows all its spellings.',
        examples: ['Anna'],
      }),
    ),
    ...listedTimes('Only conversations with their last message'),
    ...paging,
  },
  { additionalProperties: false },
);
export type ConversationsQuery = Static<typeof ConversationsQuery>;

/** An account and a contact that wrote to it or paired. */
export const Conversation = Type.Object({
  id: prefixedId('cnv', 'The conversation ID.'),
  channel: Type.Enum([...channels], { examples: ['sms'] }),
  channelAccountId: uuid(),
  contact: nullable(ContactProfile),
  to: Type.String({ description: 'The contact, as `to` of a send.', examples: ['+15550001000'] }),
  unread: Type.Integer({
    maximum: 100,
    description: 'Inbound messages after the last read one. 100 means 100 or more.',
    examples: [1],
  }),
  windowExpiresAt: nullable(
    Type.String({
      format: 'date-time',
      description:
        'Until when free text may be sent; after that only a template. Null if the provider has no such window.',
    }),
  ),
  slowedUntil: nullable(
    Type.String({
      format: 'date-time',
      description:
        'Until when messages to the contact leave 30 seconds apart, because the account and the contact sent each other 20 messages within a minute. Null if they leave at once.',
    }),
  ),
  optedOut: Type.Boolean({
    description:
      'True if the contact opted out of the account’s messages. A message to them fails with `recipient-opted-out`.',
    examples: [false],
  }),
  lastMessage: nullable(MessageDetails),
  lastInboundAt: nullable(
    Type.String({ format: 'date-time', description: 'Null if the contact paired and has not written.' }),
  ),
  createdAt: Timestamp,
});
export type Conversation = Static<typeof Conversation>;

const nextCursor = nullable(
  Type.String({ description: 'The cursor of the next page. Null if this is the last one.' }),
);

/** A page of conversations, the one with the newest message first. */
export const Conversations = Type.Object({ data: Type.Array(Conversation), nextCursor });

/** Query of `GET /v1/conversations/:id/messages`. */
export const ConversationMessagesQuery = Type.Object(paging, { additionalProperties: false });

/** A page of the messages of a conversation in both directions, newest first. */
export const ConversationMessages = Type.Object({ data: Type.Array(MessageDetails), nextCursor });

/** Body of `POST /v1/conversations/:id/read`. */
export const ReadConversation = Type.Object(
  {
    messageId: Type.Optional(
      prefixedId(
        'msg',
        'The newest message that was read. Default: the newest of the conversation. An older one than was read before changes nothing.',
      ),
    ),
    tellSender: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Also tell the person who wrote, where the provider can.',
        examples: [true],
      }),
    ),
  },
  { additionalProperties: false },
);

const told = {
  delivered: Type.Boolean({
    description: 'Whether the provider took it. Nobody learns whether the person saw it.',
    examples: [true],
  }),
  reason: Type.Optional(
    Type.Enum([...notToldReasons], {
      description:
        'Only if `delivered` is false. `not-asked`: without `tellSender`. `not-supported`: the provider has no such thing, or the phone’s owner has turned read receipts off. `no-message`: no message of the person is known to the provider. `not-connected`: the account cannot be used now. `rate-limited`: too much at once, for us or for the provider. `refused`: the provider said no. `unavailable`: the provider is away, or has the account wait. `timeout`: nothing came of it within 10 seconds.',
      examples: ['not-supported'],
    }),
  ),
};

/** Whether the provider took what a person was to be told. */
export const Told = Type.Object(told);

/** A conversation after its messages were marked as read. */
export const MarkedConversation = Type.Object({ ...Conversation.properties, ...told });
