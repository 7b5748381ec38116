import Type, { type Static } from 'typebox';
import { nullable } from './fields.ts';

/** Body of `POST /v1/channel-accounts/:id/link`. */
export const LinkAccount = Type.Object(
  {
    phone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description:
          "The phone's number with country code. If set, the phone is linked by a code entered there, else by QR code.",
        examples: ['+14155550123'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** The sending limits of a linked device, and how far they are used up. */
const Care = Type.Object({
  minIntervalSeconds: Type.Number(),
  maxIntervalSeconds: Type.Number(),
  newContactsPerDay: Type.Integer(),
  warmUpDays: Type.Integer(),
  newContactsAllowed: Type.Integer({
    description: 'New contacts in 24 hours that the warm-up currently allows.',
  }),
  newContactsUsed: Type.Integer({ description: 'New contacts messaged in the last 24 hours.' }),
  restrictedUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'Until this time WhatsApp blocks first messages to new contacts. They wait.',
    }),
  ),
});

/** The state of an account's linking: `step`, and the details that a client displays unchanged in that step. */
export const AccountLink = Type.Object({
  step: Type.Enum(['idle', 'display-qr', 'display-code', 'connected', 'failed']),
  wanted: nullable(
    Type.Enum(['link', 'unlink'], { description: 'The requested change, while in progress.' }),
  ),
  qr: Type.Optional(
    Type.String({
      description:
        'With `display-qr`: the content of the QR code. Anyone who scans it links their phone: keep it private and do not store it.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      description: 'With `display-code`: the code to enter on the phone. Keep it private too.',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When `qr` or `code` expires. The next QR code follows automatically.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  ),
  phone: Type.Optional(Type.String({ description: 'With `connected`: the linked number.' })),
  reason: Type.Optional(Type.String({ description: 'With `failed`: the reason, and what to do.' })),
  care: nullable(Care),
});
export type AccountLink = Static<typeof AccountLink>;
