import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../keywords.ts';
import { quietHoursSetting } from '../quiet-hours.ts';
import { unknownOutcomeSetting } from '../unknown-outcome.ts';

/** The settings of a `whatsapp-cloud` account. The README says where Meta's pages show each of them. */
export const settings = Type.Object(
  {
    phoneNumberId: Type.String({
      title: 'Phone number ID',
      description: "Meta's ID of the sending number, not the number itself.",
      pattern: '^[0-9]{5,32}$',
      examples: ['106540352242922'],
    }),
    businessAccountId: Type.Optional(
      Type.String({
        title: 'WhatsApp Business account ID',
        description: 'Lists the templates of this account. Without it, Meta alone checks them.',
        pattern: '^[0-9]{5,32}$',
        examples: ['102290129340398'],
      }),
    ),
    accessToken: Type.String({
      title: 'Access token',
      description:
        'A token of a system user that never expires, with the permission whatsapp_business_messaging, and whatsapp_business_management for templates.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 1_000,
      secret: true,
    }),
    appSecret: Type.String({
      title: 'App secret',
      description: 'Verifies callbacks from Meta.',
      pattern: '^[\\x21-\\x7e]+$',
      maxLength: 200,
      secret: true,
    }),
    verifyToken: Type.Optional(
      Type.String({
        title: 'Verify token',
        description:
          'Meta asks for it when you enter the callback URL. Without one, the secret in the URL is enough.',
        minLength: 1,
        maxLength: 200,
        secret: true,
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages per second',
        description:
          'The rate limit of the number. Use 20 if the number is also used in the WhatsApp Business app.',
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
