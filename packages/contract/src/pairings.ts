import Type, { type Static } from 'typebox';
import { prefixedId, Timestamp } from './fields.ts';
import { MediaType, plainCaption, plainText, SendMedia } from './messages.ts';

/** Body of `POST /v1/channel-accounts/:id/pairings`. */
export const CreatePairing = Type.Object(
  {
    reference: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Your name for the person, such as an ID. The event `contact.paired` has it.',
      examples: ['customer-4711'],
    }),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 2_592_000,
        default: 604_800,
        description: 'How long the link can be opened.',
      }),
    ),
  },
  { additionalProperties: false },
);

/** A link that ties the chat of the person who opens it to a reference. */
export const Pairing = Type.Object({
  url: Type.String({
    description: 'Give it to one person. It works for the first chat that opens it.',
    examples: ['https://t.me/example_bot?start=k3H0Zt5bq1J8yUuR2mW9eXoTqv4ncA7s'],
  }),
  reference: CreatePairing.properties.reference,
  expiresAt: Timestamp,
});

/** Body of `POST /v1/channel-accounts/:id/simulate-inbound`. */
export const SimulateInbound = Type.Object(
  {
    from: Type.String({
      maxLength: 256,
      description: 'Who writes: an address that a send on the channel of the account takes as `to`.',
      examples: ['+15550001000'],
    }),
    text: Type.Optional(plainText),
    media: Type.Optional(
      Type.Object(
        {
          type: MediaType,
          caption: Type.Optional(plainCaption),
          filename: SendMedia.properties.filename,
        },
        { additionalProperties: false, description: 'A small file of this type, made by the sandbox.' },
      ),
    ),
    replyTo: Type.Optional(
      prefixedId('msg', 'The message of the same conversation that the person answers.'),
    ),
  },
  {
    additionalProperties: false,
    description: 'Either `text` or `media` is required.',
    examples: [{ from: '+15550001000', text: 'When do you open?' }],
  },
);
export type SimulateInbound = Static<typeof SimulateInbound>;
