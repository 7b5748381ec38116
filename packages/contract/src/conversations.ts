import { channels } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { ContactProfile, MessageDetails } from './messages.ts';

const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  cursor: Type.Optional(Type.String({ description: 'The `nextCursor` of the previous page.' })),
};

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
    ...page,
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
export const ConversationMessagesQuery = Type.Object(page, { additionalProperties: false });

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
  },
  { additionalProperties: false },
);
