import { channels, formattedLimits, inboundTypes, messageTypes, textLimits } from '@notify/core';
import Type, { type Static } from 'typebox';
import { filename, nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { InteractiveContent, interactiveFields } from './interactive.ts';
import { labels, shownLabels } from './labels.ts';
import { TemplateContent } from './templates.ts';

const maxUrlLength = 2048;

/** The options of every send besides its content. */
const sendOptions = {
  channelAccountId: Type.Optional(
    uuid('The account to send from. Default: the default account of the channel.'),
  ),
  idempotencyKey: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'Repeating a request with the same key returns the first response and creates no second message.',
    }),
  ),
  replyTo: Type.Optional(
    prefixedId(
      'msg',
      'A message of the same conversation to quote: of the same account, from or to this recipient. Where the provider cannot quote, the message is sent without.',
    ),
  ),
  ...labels,
};

/** When a send leaves. */
export const sendAt = Type.String({
  format: 'date-time',
  description:
    'When to send the message: ISO 8601 with a time zone, at most 30 days ahead. A time up to a minute ago means now. The message is stored at once, and never leaves before this time.',
  examples: ['2026-02-01T09:00:00+01:00'],
});

/** How long a send may wait. */
export const timing = {
  expiresInSeconds: Type.Optional(
    Type.Integer({
      minimum: 30,
      maximum: 604_800,
      default: 86_400,
      description:
        'A message not sent within this time fails with the code `expired`. It counts from `sendAt`, or else from the request. Quiet hours that postpone the message do not count.',
    }),
  ),
  sendAt: Type.Optional(sendAt),
  urgent: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to send the message in the quiet hours of its account, too.',
    }),
  ),
};

/** The recipient of a send. */
export const to = Type.String({
  maxLength: 256,
  description: 'A phone number (for sms in E.164 format with +), or for telegram a chat ID or @username.',
  examples: ['+15550001000'],
});

/** What only Telegram knows of a text or a file. */
export const TelegramOptions = Type.Object(
  {
    format: Type.Optional(
      Type.Enum(['html', 'markdown'], {
        description:
          'How the text or the caption is marked up: Telegram’s HTML, or its MarkdownV2. Such a text is never split: without its markup it may have 4,096 UTF-16 code units, and a caption 1,024. One that Telegram cannot read fails with `content-rejected`. Without `format` the text arrives unchanged.',
      }),
    ),
    threadId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description:
          'The topic of the chat that the message goes to. Default: the topic of the message that `replyTo` names.',
        examples: [42],
      }),
    ),
    silent: Type.Optional(Type.Boolean({ description: 'Whether it arrives without a sound.' })),
    preview: Type.Optional(
      Type.Boolean({ description: 'False: links in a text get no preview. A file never has one.' }),
    ),
  },
  { additionalProperties: false, description: 'Only on `telegram`.' },
);
export type TelegramOptions = Static<typeof TelegramOptions>;

const telegram = Type.Optional(TelegramOptions);

const textField = { minLength: 1, examples: ['Hello from Notify'] };

/** A text that a person reads as it stands. */
export const plainText = Type.String({ ...textField, maxLength: textLimits.text });

/** A caption that a person reads as it stands. */
export const plainCaption = Type.String({ maxLength: textLimits.caption });

/** The keywords of a send: a text or a caption may only be longer than others if it is formatted. */
export const longerIfFormatted = {
  if: {
    type: 'object',
    required: ['telegram'],
    properties: {
      telegram: { type: 'object', required: ['format'], properties: { format: { type: 'string' } } },
    },
  },
  else: {
    type: 'object',
    properties: {
      text: { type: 'string', maxLength: textLimits.text },
      caption: { type: 'string', maxLength: textLimits.caption },
      media: {
        type: 'object',
        properties: { caption: { type: 'string', maxLength: textLimits.caption } },
      },
    },
  },
} as const;

/** Body of `POST /v1/notify/:channel/text`. */
export const SendText = Type.Object(
  {
    to,
    text: Type.String({
      ...textField,
      maxLength: formattedLimits.text,
      description: 'At most 4,096 characters. With `telegram.format`, 16,384 together with the markup.',
    }),
    telegram,
    ...sendOptions,
    ...timing,
  },
  { additionalProperties: false, ...longerIfFormatted },
);
export type SendText = Static<typeof SendText>;

/** The kinds of file a media message can carry. */
export const MediaType = Type.Enum(['image', 'video', 'audio', 'document']);

/** Body of `POST /v1/notify/:channel/media`. Exactly one of `url` and `fileId`, which has its own error code, so both are optional here. */
export const SendMedia = Type.Object(
  {
    to,
    type: MediaType,
    url: Type.Optional(
      Type.String({
        maxLength: maxUrlLength,
        description: 'The public http(s) URL of the file. Required, unless there is a `fileId`.',
      }),
    ),
    fileId: Type.Optional(
      Type.String({
        maxLength: 64,
        description:
          'An uploaded file (`POST /v1/notify/files`) in place of `url`. It is kept until the message has ended, and an hour longer.',
        examples: ['file_01912d68-783e-7a52-9d3a-6c4f2b1e8a90'],
      }),
    ),
    caption: Type.Optional(
      Type.String({
        maxLength: formattedLimits.caption,
        description: 'At most 1,024 characters. With `telegram.format`, 4,096 together with the markup.',
      }),
    ),
    filename: Type.Optional(filename('The file name shown to the recipient, for documents.')),
    telegram,
    ...sendOptions,
    ...timing,
  },
  {
    additionalProperties: false,
    ...longerIfFormatted,
    examples: [{ to: '+15550001000', type: 'image', url: 'https://example.com/ticket.png' }],
  },
);
export type SendMedia = Static<typeof SendMedia>;

const { type, url, fileId, caption, filename: mediaFilename } = SendMedia.properties;

/** A file in an item of a bulk call, or in a route of a group. */
export const MediaContent = Type.Object(
  { type, url, fileId, caption, filename: mediaFilename },
  { additionalProperties: false },
);
export type MediaContent = Static<typeof MediaContent>;

/** Body of `POST /v1/notify/:channel/template`. */
export const SendTemplate = Type.Object(
  { to, template: TemplateContent, ...sendOptions, ...timing },
  { additionalProperties: false },
);
export type SendTemplate = Static<typeof SendTemplate>;

/** Body of `POST /v1/notify/:channel/interactive`. */
export const SendInteractive = Type.Object(
  { to, ...interactiveFields, ...sendOptions, ...timing },
  {
    additionalProperties: false,
    examples: [
      {
        to: '+15550001000',
        text: 'Shall we come on Monday?',
        buttons: [
          { id: 'yes', title: 'Yes' },
          { id: 'no', title: 'No' },
        ],
      },
    ],
  },
);
export type SendInteractive = Static<typeof SendInteractive>;

/** An item of a bulk call. */
export const BulkItem = Type.Object(
  {
    ...SendText.properties,
    text: Type.Optional(SendText.properties.text),
    media: Type.Optional(MediaContent),
    template: Type.Optional(TemplateContent),
    interactive: Type.Optional(InteractiveContent),
  },
  {
    additionalProperties: false,
    ...longerIfFormatted,
    description: 'One of `text`, `media`, `template` and `interactive` is required.',
    examples: [{ to: '+15550001000', text: 'Hello from Notify' }],
  },
);
export type BulkItem = Static<typeof BulkItem>;

/** Body of `POST /v1/notify/:channel/bulk`. */
export const SendBulk = Type.Object(
  { messages: Type.Array(BulkItem, { minItems: 1, maxItems: 100 }) },
  { additionalProperties: false },
);
export type SendBulk = Static<typeof SendBulk>;

/** Body of `PATCH /v1/messages/:id`. */
export const ChangeMessage = Type.Object({ sendAt }, { additionalProperties: false });
export type ChangeMessage = Static<typeof ChangeMessage>;

/** The content of a message that was sent. */
export const MessageBody = Type.Union([
  Type.Object({ text: Type.String({ examples: ['Hello from Notify'] }), telegram }),
  Type.Object({
    type: MediaType,
    url: nullable(Type.String({ description: 'Null if an uploaded file was sent.' })),
    fileId: Type.Optional(prefixedId('file', 'The uploaded file, if one was sent.')),
    caption: nullable(Type.String()),
    filename: Type.Optional(Type.String()),
    telegram,
  }),
  Type.Object({
    template: TemplateContent,
    text: Type.Optional(
      Type.String({ description: 'The text as the recipient reads it, if the template was known.' }),
    ),
  }),
  Type.Object({
    interactive: InteractiveContent,
    text: Type.Optional(
      Type.String({
        description: 'The text as the recipient reads it, if it is sent in place of buttons (`numbered`).',
      }),
    ),
  }),
]);

/** The content of a message that a person wrote. */
export const InboundBody = Type.Union([
  Type.Object({ text: Type.String() }),
  Type.Object({
    type: MediaType,
    caption: nullable(Type.String()),
    filename: nullable(Type.String()),
    mimeType: nullable(Type.String({ description: 'As the provider says.' })),
    bytes: nullable(Type.Integer()),
  }),
  Type.Object({
    latitude: Type.Number(),
    longitude: Type.Number(),
    name: nullable(Type.String()),
    address: nullable(Type.String()),
  }),
  Type.Object({
    contacts: Type.Array(Type.Object({ name: nullable(Type.String()), phones: Type.Array(Type.String()) })),
  }),
  Type.Object({
    emoji: nullable(Type.String({ description: 'Null if the person took the reaction back.' })),
  }),
  Type.Object({
    text: Type.String({ description: 'The words on the button.' }),
    payload: nullable(Type.String({ description: 'What the sender of the button tied to it.' })),
  }),
  Type.Object({
    kind: Type.String({ description: 'What it was, in the provider’s own word.', examples: ['poll'] }),
  }),
]);

/** What is known of the person who wrote. */
export const ContactProfile = Type.Object({
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
});

const sameAsId = 'The same as `id`.';

const shown = {
  provider: Type.Enum([...channels], { description: 'The channel.', examples: ['sms'] }),
  to: Type.String({ description: 'The recipient, as given in the request.', examples: ['+15550001000'] }),
  type: Type.Enum([...messageTypes]),
  status: Type.Enum(['queued', 'sent', 'delivered', 'failed']),
  body: MessageBody,
  createdAt: Timestamp,
  scheduledAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'The `sendAt` of the message. Null if it was to be sent at once.',
    }),
  ),
  ...shownLabels,
};

/** A message as a send answers it. `error` and `errorCode` are present if an item of a bulk call could not be sent. */
export const Message = Type.Object({
  id: prefixedId('msg', 'The message ID. Webhook events contain it as `messageId`.'),
  messageId: prefixedId('msg', sameAsId),
  tenantId: prefixedId('ten', 'The tenant of the message.'),
  channelAccountId: nullable(uuid()),
  ...shown,
  error: Type.Optional(Type.String()),
  errorCode: Type.Optional(Type.String()),
});
export type Message = Static<typeof Message>;

/** A message as `GET /v1/notify/messages/:id` answers it. Every field is always present, and null until known. */
export const MessageDetails = Type.Object(
  {
    id: prefixedId('msg', 'The message ID, as the send returned it. Events name it `messageId`.'),
    messageId: prefixedId('msg', sameAsId),
    channelAccountId: nullable(uuid()),
    direction: Type.Enum(['outbound', 'inbound'], {
      description: '`inbound`: a person wrote it to the account.',
    }),
    ...shown,
    to: Type.String({
      description:
        'The recipient, as given in the request. Of an inbound message the account’s own address; empty if the provider does not name it, as Telegram and the sandbox do not.',
      examples: ['+15550001000'],
    }),
    type: Type.Enum([...new Set([...messageTypes, ...inboundTypes])]),
    body: Type.Union([MessageBody, InboundBody]),
    from: nullable(Type.String({ description: 'Who wrote an inbound message, as `to` of an answer.' })),
    contact: nullable(ContactProfile),
    replyTo: nullable(prefixedId('msg', 'The message that this one answers, reacts to or was pressed on.')),
    threadId: nullable(
      Type.Integer({ description: 'The topic of a Telegram chat that an inbound message is in.' }),
    ),
    groupId: nullable(prefixedId('grp', 'The group of which this message is a route.')),
    receivedAt: nullable(
      Type.String({ format: 'date-time', description: 'When an inbound message was stored.' }),
    ),
    externalId: nullable(Type.String({ description: "The provider's message ID." })),
    error: nullable(Type.String({ description: 'Why the message failed, as text.' })),
    errorCode: nullable(Type.String({ description: 'Why the message failed, as a stable code.' })),
    sentAt: nullable(Timestamp),
    deliveredAt: nullable(Timestamp),
    readAt: nullable(Timestamp),
    failedAt: nullable(Timestamp),
    expiresAt: Timestamp,
    updatedAt: Timestamp,
    urgent: Type.Boolean({ description: 'True if quiet hours do not hold it up.' }),
    attempts: Type.Integer({ description: 'Number of attempts to send.' }),
    segments: nullable(
      Type.Integer({ description: 'Number of SMS segments. Null until counted, and on other channels.' }),
    ),
    possibleDuplicate: Type.Boolean({
      description:
        'True if the message was sent again after an attempt with an unknown outcome, so it may arrive twice.',
    }),
  },
  {
    examples: [
      {
        id: 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
        messageId: 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
        channelAccountId: '01912d60-5b7e-7d02-b0f4-3c8f2f1e9a11',
        direction: 'outbound',
        from: null,
        contact: null,
        replyTo: null,
        threadId: null,
        groupId: null,
        receivedAt: null,
        provider: 'sms',
        to: '+15550001000',
        type: 'text',
        status: 'delivered',
        body: { text: 'Hello from Notify' },
        createdAt: '2026-01-31T09:30:00.000Z',
        scheduledAt: null,
        metadata: { orderId: '4711' },
        tags: ['newsletter'],
        externalId: 'SM0123456789',
        error: null,
        errorCode: null,
        sentAt: '2026-01-31T09:30:00.180Z',
        deliveredAt: '2026-01-31T09:30:02.400Z',
        readAt: null,
        failedAt: null,
        expiresAt: '2026-02-01T09:30:00.000Z',
        updatedAt: '2026-01-31T09:30:02.400Z',
        urgent: false,
        attempts: 1,
        segments: 1,
        possibleDuplicate: false,
      },
    ],
  },
);
export type MessageDetails = Static<typeof MessageDetails>;

/** A message as its tenant sees it: with the request that made it. API keys do not see that, because it may be another key's. */
export const MessageRecord = Type.Object({
  ...MessageDetails.properties,
  apiKeyId: nullable(
    prefixedId(
      'key',
      'The API key whose request made the message. Null if a session or a service token made it, and for inbound messages.',
    ),
  ),
  idempotencyKey: nullable(
    Type.String({
      description:
        'The idempotency key of the request that made the message, or its group or verification. Null if it had none, and for an item of a bulk call that failed at once, because that does not use up its key.',
      examples: ['order-4711'],
    }),
  ),
});
export type MessageRecord = Static<typeof MessageRecord>;
