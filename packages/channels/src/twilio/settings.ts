import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../keywords.ts';
import { quietHoursSetting } from '../quiet-hours.ts';
import { unknownOutcomeSetting } from '../unknown-outcome.ts';

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
          'Verifies incoming messages and delivery receipts from Twilio. Without it, both are refused and the status of messages stays `sent`, even with an API key.',
        minLength: 1,
        maxLength: 200,
        secret: true,
      }),
    ),
    apiKeySid: Type.Optional(
      Type.String({
        title: 'API key SID',
        description: 'Sends with this key and its secret instead of the auth token.',
        pattern: '^SK[0-9a-fA-F]{32}$',
        examples: ['SK0123456789abcdef0123456789abcdef'],
      }),
    ),
    apiKeySecret: Type.Optional(
      Type.String({ title: 'API key secret', minLength: 1, maxLength: 200, secret: true }),
    ),
    from: Type.Optional(
      Type.String({
        title: 'Sender',
        description: 'A number of the account (E.164), a short code, or an alphanumeric sender ID.',
        maxLength: 20,
        pattern: '^(\\+[1-9]\\d{6,14}|\\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11})$',
        examples: ['+14155550123'],
      }),
    ),
    messagingServiceSid: Type.Optional(
      Type.String({
        title: 'Messaging Service SID',
        description: 'Use instead of a sender.',
        pattern: '^MG[0-9a-fA-F]{32}$',
        examples: ['MG0123456789abcdef0123456789abcdef'],
      }),
    ),
    validitySeconds: Type.Optional(
      Type.Integer({
        title: 'Validity',
        description:
          'The longest that Twilio may queue a message before sending, in seconds. It is never longer than what remains of the message’s own lifetime.',
        minimum: 1,
        maximum: 36_000,
      }),
    ),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages per second',
        description: 'The rate limit of the sender, or of the whole Messaging Service.',
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
