import Type, { type Static } from 'typebox';
import { unknownOutcomeSetting } from '../unknown-outcome.ts';

/** The settings of a `whatsapp-cloud` account; the README says where each stands in Meta's pages. */
export const settings = Type.Object(
  {
    phoneNumberId: Type.String({
      title: 'Phone number ID',
      description: "Meta's id of the number that sends; not the number itself.",
      pattern: '^[0-9]{5,32}$',
      examples: ['106540352242922'],
    }),
    accessToken: Type.String({
      title: 'Access token',
      description: 'Of a system user, without an end, with whatsapp_business_messaging.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 1_000,
      secret: true,
    }),
    appSecret: Type.String({
      title: 'App secret',
      description: 'Meta signs its callbacks with it.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 200,
      secret: true,
    }),
    verifyToken: Type.Optional(
      Type.String({
        title: 'Verify token',
        description:
          "Asked for when the callback URL is entered at Meta; without it the URL's own secret will do.",
        minLength: 1,
        maxLength: 200,
        secret: true,
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages a second',
        description: 'What Meta lets the number send; 20 where it is also used in the WhatsApp Business app.',
        minimum: 1,
        maximum: 1_000,
        default: 80,
      }),
    ),
    ...unknownOutcomeSetting,
  },
  { additionalProperties: false },
);

export type WhatsappCloudSettings = Static<typeof settings>;
