import Type, { type Static } from 'typebox';
import { providerErrorCodes } from '../error-codes.ts';
import { keywordsSetting } from '../keywords.ts';
import { quietHoursSetting } from '../quiet-hours.ts';
import { unknownOutcomeSetting } from '../unknown-outcome.ts';
import { maxPatternLength } from './pattern.ts';

const closed = { additionalProperties: false };
const Template = Type.String({ maxLength: 8_000 });
const Pattern = Type.String({
  minLength: 1,
  maxLength: maxPatternLength,
  description: 'A regular expression (RE2).',
});
const Statuses = Type.Array(Type.String({ pattern: '^[1-5](\\d\\d|xx)(-[1-5]\\d\\d)?$' }), {
  minItems: 1,
  maxItems: 20,
  examples: [['200', '2xx', '200-204']],
});
const templateNames = '^[^\\r\\n]{1,100}$';
const templates = { ...closed, maxProperties: 50 };
const Templates = Type.Record(Type.String({ pattern: templateNames }), Template, templates);

const Body = Type.Object(
  {
    type: Type.Enum(['query', 'form', 'json', 'text']),
    fields: Type.Optional(Templates),
    template: Type.Optional(Template),
  },
  { ...closed, title: 'Body', description: '`fields` for query and form, `template` for json and text.' },
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

const Reports = Type.Object(
  {
    query: Type.Optional(
      Type.String({ maxLength: 500, description: 'Query string appended to {{dlr_url}}.' }),
    ),
    status: Type.String({ minLength: 1, maxLength: 200, description: 'Field with the status.' }),
    values: Type.Record(
      Type.String({ pattern: '^[^]{0,100}$' }),
      Type.Enum(['sent', 'delivered', 'failed', 'ignored']),
      { ...closed, maxProperties: 500 },
    ),
    externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Field with {{id}}.' })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  {
    ...closed,
    title: 'Delivery receipts',
    description:
      'Each field is a query or form parameter, or a JSON pointer (with a leading /) into a JSON body.',
  },
);

const inboundField = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });

const Inbound = Type.Object(
  {
    from: inboundField('Field with the number that wrote.'),
    text: inboundField('Field with the text.'),
    to: Type.Optional(inboundField('Field with the number that was written to.')),
    id: Type.Optional(
      inboundField(
        'Field with the gateway’s message ID. Recognizes a message that is delivered again. Without it, equal texts that a person sends at the same time count as one message.',
      ),
    ),
    time: Type.Optional(
      inboundField('Field with the time: seconds or milliseconds since 1970, or a date and time in UTC.'),
    ),
    charset: Type.Optional(inboundField('Field with the charset of the text. Default: UTF-8.')),
    coding: Type.Optional(
      inboundField('Field with the coding, where no charset is given: 2 or 8 means UCS-2.'),
    ),
    encoding: Type.Optional(
      Type.Enum(['text', 'hex'], { description: 'How the text is written.', default: 'text' }),
    ),
    international: Type.Optional(
      Type.Boolean({
        description:
          'Set it to false if the gateway writes numbers without their country code. Such people cannot be answered.',
        default: true,
      }),
    ),
  },
  {
    ...closed,
    title: 'Incoming messages',
    description:
      'Each field is a query or form parameter, a JSON pointer (with a leading /) into a JSON body, a header (`header:Name`), or `body` for the whole body.',
  },
);

/** The settings of an `http-sms` account. `check.ts` checks how they combine; the README explains each. */
export const settings = Type.Object(
  {
    profile: Type.Optional(
      Type.Enum(['kannel'], {
        title: 'Profile',
        description: 'A predefined gateway. Without a profile, the settings below define the request.',
      }),
    ),
    url: Type.String({
      title: 'URL',
      description: 'The send endpoint of the gateway.',
      minLength: 1,
      maxLength: 2_000,
      examples: ['https://gateway.example/v1/messages'],
    }),
    from: Type.Optional(
      Type.String({ title: 'Sender', description: 'The value of {{from}}.', maxLength: 100 }),
    ),
    username: Type.Optional(Type.String({ title: 'User name', minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ title: 'Password', minLength: 1, maxLength: 500, secret: true })),
    smsc: Type.Optional(Type.String({ title: 'SMSC ID', minLength: 1, maxLength: 100 })),
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
          description: 'Values for {{secret.name}}, stored encrypted.',
          maxProperties: 10,
        },
      ),
    ),
    numberFormat: Type.Optional(
      Type.Enum(['+', 'digits', '00'], {
        title: 'Number format',
        description: 'Format of {{to}}: +4915…, 4915… or 004915….',
        default: '+',
      }),
    ),
    maxSegments: Type.Optional(
      Type.Integer({
        title: 'Maximum segments',
        minimum: 1,
        maximum: 255,
        description: 'The longest text the gateway accepts, in segments.',
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
            'The shortest and the longest lifetime the gateway accepts, in seconds. {{ttl_seconds}} and its like stay within them.',
        },
      ),
    ),
    coding: Type.Optional(
      Type.Object(
        {
          gsm7: Type.String({ title: 'For GSM-7', maxLength: 100 }),
          ucs2: Type.String({ title: 'For UCS-2', maxLength: 100 }),
        },
        { ...closed, title: 'Coding', description: 'The values of {{coding}}. Default: 0 and 2.' },
      ),
    ),
    success: Type.Optional(
      Type.Object(
        { status: Type.Optional(Statuses), body: Type.Optional(Pattern) },
        {
          ...closed,
          title: 'Success',
          description: 'Which responses mean the message was accepted. Default: any 2xx.',
        },
      ),
    ),
    externalId: Type.Optional(
      Type.Object(
        {
          pattern: Type.Optional(Pattern),
          pointer: Type.Optional(Type.String({ pattern: '^/', maxLength: 200, examples: ['/message/id'] })),
        },
        {
          ...closed,
          title: 'Message ID',
          description: 'Where the response contains the gateway’s message ID.',
        },
      ),
    ),
    errors: Type.Optional(
      Type.Array(ErrorRule, {
        title: 'Error rules',
        description: 'The first rule whose `status` and `body` match applies.',
        maxItems: 30,
      }),
    ),
    reports: Type.Optional(Reports),
    inbound: Type.Optional(Inbound),
    verifyUrl: Type.Optional(
      Type.String({
        title: 'Verification URL',
        description: 'Responds to GET with 2xx if the credentials are valid, for example a balance endpoint.',
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
