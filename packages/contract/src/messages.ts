import { channels, messageTypes } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';

const maxUrlLength = 2048;

/** What every send may say beyond its content. */
const sendOptions = {
  channelAccountId: Type.Optional(
    uuid('The connected account to send from; without it, the default account of the channel.'),
  ),
  idempotencyKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The same key with the same request is answered as the first time, and nothing is sent twice.',
    }),
  ),
};

const expiry = {
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 30,
      maximum: 604_800,
      default: 86_400,
      description: 'A message that could not be sent by then fails with the code `expired`.',
    }),
  ),
};

const to = Type.String({
  maxLength: 256,
  description: 'A phone number (for sms in E.164 with +), or for telegram a chat id or @username.',
  examples: ['+15550001000'],
});

/** Body of `POST /v1/notify/:channel/text`, and of each item of a bulk call. */
export const SendText = Type.Object(
  {
    to,
    text: Type.String({ minLength: 1, maxLength: 4096, examples: ['Hello from Notify'] }),
    ...sendOptions,
    ...expiry,
  },
  { additionalProperties: false },
);
export type SendText = Static<typeof SendText>;

/** The kinds of file a media message can carry. */
export const MediaType = Type.Enum(['image', 'video', 'audio', 'document']);

/** Body of `POST /v1/notify/:channel/media`. A missing `url` has an error code of its own, so it is optional here. */
export const SendMedia = Type.Object(
  {
    to,
    type: MediaType,
    url: Type.Optional(
      Type.String({ maxLength: maxUrlLength, description: 'The public http(s) URL of the file. Required.' }),
    ),
    caption: Type.Optional(Type.String({ maxLength: 1024 })),
    filename: Type.Optional(Type.String({ maxLength: 255, description: 'A hint for documents.' })),
    ...sendOptions,
    ...expiry,
  },
  {
    additionalProperties: false,
    examples: [{ to: '+15550001000', type: 'image', url: 'https://example.com/ticket.png' }],
  },
);
export type SendMedia = Static<typeof SendMedia>;

/** Body of `POST /v1/notify/:channel/bulk`. */
export const SendBulk = Type.Object(
  { messages: Type.Array(SendText, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);
export type SendBulk = Static<typeof SendBulk>;

const Body = Type.Union([
  Type.Object({ text: Type.String() }),
  Type.Object({
    type: MediaType,
    url: Type.String(),
    caption: nullable(Type.String()),
    filename: Type.Optional(Type.String()),
  }),
]);

const shown = {
  provider: Type.Enum([...channels], { description: 'The name of the channel.' }),
  to: Type.String({ description: 'As it was sent.' }),
  type: Type.Enum([...messageTypes]),
  status: Type.Enum(['queued', 'sent', 'delivered', 'failed']),
  body: Body,
  createdAt: Timestamp,
};

/** A message as a send answers it. `error` and `errorCode` are there when an item of a bulk call could not be sent. */
export const Message = Type.Object({
  id: prefixedId('msg', 'Look the message up with it, and find it in webhooks as `messageId`.'),
  tenantId: prefixedId('ten', 'Whose message it is.'),
  channelAccountId: nullable(uuid()),
  ...shown,
  error: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.String()),
});
export type Message = Static<typeof Message>;

/** A message as `GET /v1/notify/messages/:id` answers it: every field always there, null until known. */
export const MessageDetails = Type.Object({
  messageId: prefixedId('msg', 'The id the send was answered with.'),
  channelAccountId: nullable(uuid()),
  ...shown,
  externalId: nullable(Type.String({ description: "The provider's id of the message." })),
  error: nullable(Type.String({ description: 'Why it failed, in words.' })),
  errorCode: nullable(Type.String({ description: 'Why it failed, as a stable code.' })),
  sentAt: nullable(Timestamp),
  deliveredAt: nullable(Timestamp),
  readAt: nullable(Timestamp),
  failedAt: nullable(Timestamp),
  expiresAt: Timestamp,
  updatedAt: Timestamp,
  attempts: Type.Integer({ description: 'Attempts made at the provider.' }),
  segments: nullable(
    Type.Integer({ description: 'SMS segments; null until they are counted, and on other channels.' }),
  ),
  possibleDuplicate: Type.Boolean({
    description: 'It was sent again after an attempt whose outcome nobody knows.',
  }),
});
export type MessageDetails = Static<typeof MessageDetails>;
