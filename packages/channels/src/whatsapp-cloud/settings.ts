import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../settings/keywords.ts';
import { quietHoursSetting } from '../settings/quiet-hours.ts';
import { unknownOutcomeSetting } from '../settings/unknown-outcome.ts';

/** The settings of a `whatsapp-cloud` account. The README says where Meta's pages show each of them. */
export const settings = Type.Object(
  {
    phoneNumberId: Type.String({
      title: 'Phone number ID',
      description: 'The ID that Meta gave your number, not the number itself.',
      pattern: '^[0-9]{5,32}$',
      examples: ['106540352242922'],
    }),
    businessAccountId: Type.Optional(
      Type.String({
        title: 'WhatsApp Business account ID',
        description:
          'Needed to list your templates here. Without it, Notify cannot check a template before it is sent; only Meta does.',
        pattern: '^[0-9]{5,32}$',
        examples: ['102290129340398'],
      }),
    ),
    accessToken: Type.String({
      title: 'Access token',
      description:
        'A system user’s token that never expires. It needs the permission whatsapp_business_messaging and, for templates, whatsapp_business_management.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 1_000,
      secret: true,
    }),
    appSecret: Type.String({
      title: 'App secret',
      description: 'Proves that delivery receipts and incoming messages come from Meta.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 200,
      secret: true,
    }),
    verifyToken: Type.Optional(
      Type.String({
        title: 'Verify token',
        description:
          'A word of your choice that you also enter at Meta, together with the callback URL. If you give none, any word works there, because the callback URL itself is secret.',
        minLength: 1,
        maxLength: 200,
        secret: true,
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages per second',
        description:
          'How many messages per second Meta allows for the number. Use 20 if the number is also used in the WhatsApp Business app.',
        minimum: 1,
        maximum: 1_000,
        default: 80,
      }),
    ),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  { additionalProperties: false },
);

export type WhatsappCloudSettings = Static<typeof settings>;
