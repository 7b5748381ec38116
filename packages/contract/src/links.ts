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
          "The phone's own number with its country code, to be linked by a code that is typed there; absent: by QR code.",
        examples: ['+14155550123'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** How carefully a linked device sends: its settings, and how far their limits are used up. */
const Care = Type.Object({
  minIntervalSeconds: Type.Number(),
  maxIntervalSeconds: Type.Number(),
  newContactsPerDay: Type.Integer(),
  warmUpDays: Type.Integer(),
  newContactsAllowed: Type.Integer({
    description: 'New contacts in 24 hours as the warm-up allows them by now.',
  }),
  newContactsUsed: Type.Integer({ description: 'New contacts written to in the last 24 hours.' }),
  restrictedUntil: nullable(
    Type.String({
      format: 'date-time',
      description: 'WhatsApp takes no first messages to new contacts until then; they wait.',
    }),
  ),
});

/** Where the linking of an account stands. Besides `step` there is what that step needs, to be displayed as it is. */
export const AccountLink = Type.Object({
  step: Type.Enum(['idle', 'display-qr', 'display-code', 'connected', 'failed']),
  wanted: nullable(
    Type.Enum(['link', 'unlink'], { description: 'What was asked for and is still under way.' }),
  ),
  qr: Type.Optional(
    Type.String({
      description:
        'With `display-qr`: the text to be shown as a QR code. Whoever scans it links their phone: show it to nobody else, and store it nowhere.',
    }),
  ),
  code: Type.Optional(
    Type.String({
      description: 'With `display-code`: the code to be typed on the phone; as secret as a QR.',
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When `qr` or `code` ends; the next QR follows by itself.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  ),
  phone: Type.Optional(Type.String({ description: 'With `connected`: the linked number.' })),
  reason: Type.Optional(Type.String({ description: 'With `failed`: why, and what to do.' })),
  care: nullable(Care),
});
export type AccountLink = Static<typeof AccountLink>;
