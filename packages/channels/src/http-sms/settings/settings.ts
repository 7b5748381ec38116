import Type, { type Static } from 'typebox';
import { providerErrorCodes } from '../../error-codes.ts';
import { keywordsSetting } from '../../settings/keywords.ts';
import { quietHoursSetting } from '../../settings/quiet-hours.ts';
import { sendersSetting } from '../../settings/senders.ts';
import { unknownOutcomeSetting } from '../../settings/unknown-outcome.ts';
import { profileLabels, profileNames } from '../gateways/profile-names.ts';
import { maxPatternLength } from '../patterns/pattern.ts';
import { Inbound, Reports } from './callback-settings.ts';
import { CallbackSignature } from './signature-settings.ts';

const closed = { additionalProperties: false };
const maxTemplateLength = 8_000;
const Template = Type.String({ maxLength: maxTemplateLength });
const placeholders = 'Notify replaces placeholders such as {{to}}, {{text}}, {{from}} and {{secret.name}}.';
const pattern = { minLength: 1, maxLength: maxPatternLength };
const Pattern = Type.String({ ...pattern, description: 'A regular expression, in RE2 syntax.' });
const Status = Type.String({ pattern: '^[1-5](\\d\\d|xx)(-[1-5]\\d\\d)?$' });
const statuses = { minItems: 1, maxItems: 20, examples: [['200', '2xx', '200-204']] };
const Statuses = Type.Array(Status, statuses);
const templateNames = '^[^\\r\\n]{1,100}$';
const templates = { ...closed, maxProperties: 50 };

const Body = Type.Object(
  {
    type: Type.Enum(['query', 'form', 'json', 'text'], {
      title: 'Format',
      description: 'How your gateway expects the message.',
      labels: { query: 'Query string of the URL', form: 'Form', json: 'JSON', text: 'Plain text' },
    }),
    fields: Type.Optional(
      Type.Record(Type.String({ pattern: templateNames }), Template, {
        ...templates,
        title: 'Fields',
        description: `For a query string or a form: its parameters. ${placeholders}`,
      }),
    ),
    template: Type.Optional(
      Type.String({
        maxLength: maxTemplateLength,
        title: 'Content',
        description: `For JSON or plain text: the whole body. ${placeholders}`,
      }),
    ),
  },
  { ...closed, title: 'Body', description: 'What the request to your gateway contains.' },
);

const ErrorRule = Type.Object(
  {
    status: Type.Optional(Statuses),
    body: Type.Optional(Pattern),
    means: Type.Enum(['permanent', 'retry', 'throttle', 'broken']),
    errorCode: Type.Optional(Type.Enum(Object.keys(providerErrorCodes))),
  },
  closed,
);

const sender = {
  title: 'Sender',
  description: 'A number or a name. It replaces {{from}}.',
  maxLength: 100,
};

/** The settings of an `http-sms` account. `check.ts` checks how they combine; the README explains each. */
export const settings = Type.Object(
  {
    profile: Type.Optional(
      Type.Enum(profileNames, {
        title: 'Gateway',
        description: 'Notify knows how to talk to these. For any other gateway, describe its requests.',
        labels: { '': 'Another gateway', ...profileLabels },
      }),
    ),
    url: Type.Optional(
      Type.String({
        title: 'URL',
        description:
          'The address to which your gateway takes requests to send an SMS. Telnyx, SMSGate, Plivo, Sinch and Africa’s Talking: only to replace the usual base URL. Infobip: your base URL.',
        minLength: 1,
        maxLength: 2_000,
        examples: ['https://gateway.example/v1/messages'],
      }),
    ),
    from: Type.Optional(Type.String(sender)),
    ...sendersSetting(sender),
    username: Type.Optional(Type.String({ title: 'User name', minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ title: 'Password', minLength: 1, maxLength: 500, secret: true })),
    apiKey: Type.Optional(
      Type.String({
        title: 'API key',
        description: 'Plivo: the Auth Token. Sinch: the API token of the service plan.',
        minLength: 1,
        maxLength: 500,
        secret: true,
      }),
    ),
    accountId: Type.Optional(
      Type.String({
        title: 'Account ID',
        description:
          'Plivo: the Auth ID. Sinch: the service plan ID. Telnyx: the messaging profile ID, which is needed if the sender is a name.',
        minLength: 1,
        maxLength: 100,
      }),
    ),
    smsc: Type.Optional(Type.String({ title: 'SMSC ID', minLength: 1, maxLength: 100 })),
    publicKey: Type.Optional(
      Type.String({
        title: 'Public key',
        description:
          'Telnyx signs callbacks with it: Keys & Credentials → Public Key. Without it, callbacks are not checked.',
        minLength: 43,
        maxLength: 64,
      }),
    ),
    signingKey: Type.Optional(
      Type.String({
        title: 'Signing key',
        description:
          'The secret by which the gateway signs callbacks. SMSGate: Settings → Webhooks → Signing Key. Sinch: the secret that your account manager sets up. Without it, callbacks are not checked.',
        minLength: 1,
        maxLength: 1_000,
        secret: true,
      }),
    ),
    method: Type.Optional(Type.Enum(['GET', 'POST'], { title: 'Method', default: 'POST' })),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: templateNames }), Template, { ...templates, title: 'Headers' }),
    ),
    body: Type.Optional(Body),
    secrets: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z0-9_]{1,50}$' }),
        Type.String({ maxLength: 4_000, secret: true }),
        {
          ...closed,
          title: 'Secrets',
          description: 'Passwords and keys, stored encrypted. The one named token replaces {{secret.token}}.',
          maxProperties: 10,
        },
      ),
    ),
    numberFormat: Type.Optional(
      Type.Enum(['+', 'digits', '00'], {
        title: 'Number format',
        description: 'How {{to}} is written.',
        labels: { '+': 'With + (+4915…)', digits: 'Digits only (4915…)', '00': 'With 00 (004915…)' },
        default: '+',
      }),
    ),
    maxSegments: Type.Optional(
      Type.Integer({
        title: 'Maximum segments',
        minimum: 1,
        maximum: 255,
        description: 'The longest text that the gateway accepts, in SMS segments.',
      }),
    ),
    lifetime: Type.Optional(
      Type.Object(
        {
          minSeconds: Type.Optional(Type.Integer({ title: 'Minimum', minimum: 1, maximum: 604_800 })),
          maxSeconds: Type.Optional(Type.Integer({ title: 'Maximum', minimum: 1, maximum: 604_800 })),
        },
        {
          ...closed,
          title: 'Lifetime',
          description:
            'The shortest and the longest lifetime that the gateway accepts for a message, in seconds. The value of {{ttl_seconds}}, {{ttl_minutes}}, {{ttl_ms}} and {{expires_at}} stays between them.',
        },
      ),
    ),
    coding: Type.Optional(
      Type.Object(
        {
          gsm7: Type.String({ title: 'For GSM-7', maxLength: 100 }),
          ucs2: Type.String({ title: 'For UCS-2', maxLength: 100 }),
        },
        {
          ...closed,
          title: 'Coding',
          description: 'What replaces {{coding}}. By default 0 for GSM-7 and 2 for UCS-2.',
        },
      ),
    ),
    success: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(Type.Array(Status, { ...statuses, title: 'Status codes' })),
          body: Type.Optional(
            Type.String({
              ...pattern,
              title: 'Body matches',
              description: 'A regular expression, in RE2 syntax.',
            }),
          ),
        },
        {
          ...closed,
          title: 'Success',
          description: 'Which responses mean that the gateway accepted the message. By default any 2xx.',
        },
      ),
    ),
    externalId: Type.Optional(
      Type.Object(
        {
          pattern: Type.Optional(
            Type.String({
              ...pattern,
              title: 'By a regular expression',
              description: 'In RE2 syntax. Its first group is the ID.',
            }),
          ),
          pointer: Type.Optional(
            Type.String({
              title: 'By a JSON pointer',
              pattern: '^/',
              maxLength: 200,
              examples: ['/message/id'],
            }),
          ),
        },
        {
          ...closed,
          title: 'Message ID',
          description: 'Where the response has the gateway’s message ID.',
        },
      ),
    ),
    errors: Type.Optional(
      Type.Array(ErrorRule, {
        title: 'Error rules',
        description:
          'What a response means if it is not a success. The first rule whose `status` and `body` match applies. `means` is `permanent` (the message fails), `retry`, `throttle` (the gateway asks to slow down) or `broken` (the account does not work, and its messages wait).',
        maxItems: 30,
        examples: [[{ status: ['429'], means: 'throttle' }]],
      }),
    ),
    reports: Type.Optional(Reports),
    inbound: Type.Optional(Inbound),
    callbackSignature: Type.Optional(CallbackSignature),
    verifyUrl: Type.Optional(
      Type.String({
        title: 'Verification URL',
        description:
          'An address of your gateway that answers GET with 2xx only if the credentials are valid, such as the one for your balance. Verify calls it.',
        minLength: 1,
        maxLength: 2_000,
      }),
    ),
    ...unknownOutcomeSetting,
    ...keywordsSetting,
    ...quietHoursSetting,
  },
  closed,
);

export type HttpSmsSettings = Static<typeof settings>;
