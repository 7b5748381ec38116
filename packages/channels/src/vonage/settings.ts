import { createPrivateKey } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { keywordsSetting } from '../settings/keywords.ts';
import { quietHoursSetting } from '../settings/quiet-hours.ts';
import { sendersSetting } from '../settings/senders.ts';
import { unknownOutcomeSetting } from '../settings/unknown-outcome.ts';

const sender = {
  title: 'Sender',
  description:
    'A phone number of your Vonage account with country code, with or without +, or a sender name of up to 11 letters and digits.',
  maxLength: 20,
  pattern: '^(\\+?[1-9]\\d{6,14}|\\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$',
  examples: ['+14155550123'],
};

/** The settings of a `vonage` account: an application with the Messages capability. */
export const settings = Type.Object(
  {
    applicationId: Type.String({
      title: 'Application ID',
      pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
      examples: ['01912d68-783e-7a03-8467-5661c1243ad4'],
    }),
    privateKey: Type.String({
      title: 'Private key',
      description: 'The private key of the application, in PEM format.',
      minLength: 1,
      maxLength: 10_000,
      secret: true,
    }),
    signatureSecret: Type.String({
      title: 'Signature secret',
      description:
        'Proves that incoming messages and delivery receipts come from Vonage. It is in the settings of your Vonage account.',
      minLength: 1,
      maxLength: 500,
      secret: true,
    }),
    from: Type.String(sender),
    ...sendersSetting(sender),
    ratePerSecond: Type.Optional(
      Type.Number({
        title: 'Messages per second',
        description:
          'How many messages per second Vonage allows for the sender. For some senders, such as US phone numbers, this is far below the default.',
        minimum: 0.1,
        maximum: 1_000,
        default: 30,
      }),
    ),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  { additionalProperties: false },
);

export type VonageSettings = Static<typeof settings>;

/** The private key must be an unencrypted RSA key. */
export function checkVonage({
  privateKey,
}: VonageSettings): readonly { readonly at: string; readonly message: string }[] {
  return isRsaKey(privateKey) ? [] : [{ at: '/privateKey', message: 'is not an RSA private key in PEM' }];
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
