import Type, { type Static } from 'typebox';
import { providerErrorCodes } from '../error-codes.ts';
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
    query: Type.Optional(Type.String({ maxLength: 500, description: 'Added to {{dlr_url}} as it is.' })),
    status: Type.String({ minLength: 1, maxLength: 200, description: 'Field that holds the status.' }),
    values: Type.Record(Type.String(), Type.Enum(['sent', 'delivered', 'failed', 'ignored'])),
    externalId: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Field that holds {{id}}.' })),
    text: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  {
    ...closed,
    title: 'Delivery reports',
    description: 'Fields are names in query or form, or JSON pointers (with a leading /) into a JSON body.',
  },
);

/** The settings of an `http-sms` account. `check.ts` says which of them go together; the README explains each. */
export const settings = Type.Object(
  {
    profile: Type.Optional(
      Type.Enum(['kannel'], {
        title: 'Profile',
        description: 'A gateway that is known already; without one the settings say how to ask it.',
      }),
    ),
    url: Type.String({
      title: 'URL',
      description: 'Where a message is handed over.',
      minLength: 1,
      maxLength: 2_000,
      examples: ['https://gateway.example/v1/messages'],
    }),
    from: Type.Optional(
      Type.String({ title: 'Sender', description: 'What {{from}} stands for.', maxLength: 100 }),
    ),
    username: Type.Optional(Type.String({ title: 'User name', minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ title: 'Password', minLength: 1, maxLength: 500, secret: true })),
    smsc: Type.Optional(Type.String({ title: 'SMSC id', minLength: 1, maxLength: 100 })),
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
          description: 'Values for {{secret.name}}, kept encrypted.',
          maxProperties: 10,
        },
      ),
    ),
    numberFormat: Type.Optional(
      Type.Enum(['+', 'digits', '00'], {
        title: 'Number format',
        description: 'How {{to}} begins: +4915…, 4915… or 004915….',
        default: '+',
      }),
    ),
    maxSegments: Type.Optional(
      Type.Integer({
        title: 'Longest text',
        minimum: 1,
        maximum: 255,
        description: 'The longest text the gateway takes, in segments.',
      }),
    ),
    coding: Type.Optional(
      Type.Object(
        { gsm7: Type.String({ title: 'For GSM-7' }), ucs2: Type.String({ title: 'For UCS-2' }) },
        { ...closed, title: 'Coding', description: 'What {{coding}} stands for; 0 and 2 unless set.' },
      ),
    ),
    success: Type.Optional(
      Type.Object(
        { status: Type.Optional(Statuses), body: Type.Optional(Pattern) },
        {
          ...closed,
          title: 'Success',
          description: 'Which answers mean that it was taken; any 2xx unless set.',
        },
      ),
    ),
    externalId: Type.Optional(
      Type.Object(
        {
          pattern: Type.Optional(Pattern),
          pointer: Type.Optional(Type.String({ pattern: '^/', maxLength: 200, examples: ['/message/id'] })),
        },
        { ...closed, title: 'Id in the answer', description: 'Where the gateway’s id of the message is.' },
      ),
    ),
    errors: Type.Optional(
      Type.Array(ErrorRule, {
        title: 'Error rules',
        description: 'The first whose `status` and `body` fit decides.',
        maxItems: 30,
      }),
    ),
    reports: Type.Optional(Reports),
    verifyUrl: Type.Optional(
      Type.String({
        title: 'URL to verify with',
        description: 'Answers a GET with 2xx when the credentials are right, such as a balance.',
        minLength: 1,
        maxLength: 2_000,
      }),
    ),
    ...unknownOutcomeSetting,
  },
  closed,
);

export type HttpSmsSettings = Static<typeof settings>;
