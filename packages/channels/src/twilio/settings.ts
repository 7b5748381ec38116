import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../settings/keywords.ts';
import { quietHoursSetting } from '../settings/quiet-hours.ts';
import { sendersSetting } from '../settings/senders.ts';
import { unknownOutcomeSetting } from '../settings/unknown-outcome.ts';

const sender = {
  title: 'Sender',
  description:
    'A phone number of your Twilio account with + and country code, a short code, or a sender name of up to 11 letters and digits.',
  maxLength: 20,
  pattern: '^(\\+[1-9]\\d{6,14}|\\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$',
  examples: ['+14155550123'],
};

/** The settings of a `twilio` account; `checkTwilio` checks how they combine. */
export const settings = Type.Object(
  {
    accountSid: Type.String({
      title: 'Account SID',
      pattern: '^AC[0-9a-fA-F]{32}$',
      examples: ['AC0123456789abcdef0123456789abcdef'],
    }),
    authToken: Type.Optional(
      Type.String({
        title: 'Auth token',
        description:
          'Proves that incoming messages and delivery receipts come from Twilio. Without it Notify refuses both, and messages stay at the status `sent`, even if you give an API key.',
        minLength: 1,
        maxLength: 200,
        secret: true,
      }),
    ),
    apiKeySid: Type.Optional(
      Type.String({
        title: 'API key SID',
        description:
          'If you give a key and its secret, messages are sent with them instead of the auth token.',
        pattern: '^SK[0-9a-fA-F]{32}$',
        examples: ['SK0123456789abcdef0123456789abcdef'],
      }),
    ),
    apiKeySecret: Type.Optional(
      Type.String({ title: 'API key secret', minLength: 1, maxLength: 200, secret: true }),
    ),
    from: Type.Optional(Type.String(sender)),
    ...sendersSetting(sender),
    messagingServiceSid: Type.Optional(
      Type.String({
        title: 'Messaging Service SID',
        description: 'Give either this or a sender.',
        pattern: '^MG[0-9a-fA-F]{32}$',
        examples: ['MG0123456789abcdef0123456789abcdef'],
      }),
    ),
    validitySeconds: Type.Optional(
      Type.Integer({
        title: 'Validity',
        description:
          'How long Twilio may keep a message waiting before it sends it, in seconds. If the message itself expires earlier, that time counts.',
        minimum: 1,
        maximum: 36_000,
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages per second',
        description:
          'How many messages per second Twilio allows for the sender, or for the whole Messaging Service.',
        minimum: 0.1,
        maximum: 1_000,
        default: 1,
      }),
    ),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  { additionalProperties: false },
);

export type TwilioSettings = Static<typeof settings>;

interface Fault {
  readonly at: string;
  readonly message: string;
}

/** Requires complete credentials and exactly one kind of sender. */
export function checkTwilio(given: TwilioSettings): readonly Fault[] {
  const faults: Fault[] = [];
  const { authToken, apiKeySid, apiKeySecret, from, messagingServiceSid } = given;
  if (authToken === undefined && apiKeySid === undefined && apiKeySecret === undefined) {
    faults.push({ at: '/authToken', message: 'is required, unless an API key is given' });
  }
  if (apiKeySid === undefined && apiKeySecret !== undefined) {
    faults.push({ at: '/apiKeySid', message: 'is required with apiKeySecret' });
  }
  if (apiKeySid !== undefined && apiKeySecret === undefined) {
    faults.push({ at: '/apiKeySecret', message: 'is required with apiKeySid' });
  }
  if ((from === undefined) === (messagingServiceSid === undefined)) {
    faults.push({ at: '/from', message: 'is required, or messagingServiceSid, but not both' });
  }
  return faults;
}
