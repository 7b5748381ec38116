import { channels, defaultStartsPerHour, mostTries, verificationStatuses } from '@notify/core';
import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp, uuid } from './fields.ts';
import { labels, shownLabels } from './labels.ts';

const to = Type.String({
  maxLength: 256,
  description:
    'Whom to verify: a phone number in E.164 format, or for telegram alone a chat ID or @username.',
  examples: ['+15550001000'],
});

const Route = Type.Object(
  {
    channel: Type.Enum([...channels]),
    to: Type.Optional(
      Type.String({
        maxLength: 256,
        description:
          'Only for telegram: the chat of the person. The other channels use the `to` of the verification.',
        examples: ['123456789'],
      }),
    ),
    channelAccountId: Type.Optional(
      uuid('The account to send from. Default: the default account of the channel.'),
    ),
  },
  { additionalProperties: false },
);

/** Body of `POST /v1/notify/verifications`. */
export const StartVerification = Type.Object(
  {
    to,
    channel: Type.Optional(Type.Enum([...channels], { examples: ['sms'] })),
    routes: Type.Optional(
      Type.Array(Route, {
        minItems: 1,
        maxItems: 5,
        description: 'Tried in order, all with the same code. Either `channel` or `routes` is required.',
      }),
    ),
    locale: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$',
        maxLength: 35,
        description:
          'The language of the text, such as `de-AT`: then `de`, then English. WhatsApp Cloud uses the authentication template in that language.',
        examples: ['de-AT'],
      }),
    ),
    codeLength: Type.Optional(
      Type.Integer({ minimum: 4, maximum: 10, default: 6, description: 'The number of digits.' }),
    ),
    expiresInSeconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 3_600,
        default: 600,
        description: 'How long the code can be checked, and how long it may wait to be sent.',
      }),
    ),
    brand: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 30,
        description:
          'Your name in the text. It has no line break, no `•` and at most three digits in a row, of whatever script and with whatever signs between them. An authentication template has its own text.',
        examples: ['Acme'],
      }),
    ),
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'Repeating a request with the same key returns the first response and sends no second code.',
      }),
    ),
    ...labels,
  },
  {
    additionalProperties: false,
    examples: [
      {
        to: '+15550001000',
        routes: [{ channel: 'whatsapp' }, { channel: 'sms' }],
        brand: 'Acme',
        locale: 'de-AT',
      },
    ],
  },
);
export type StartVerification = Static<typeof StartVerification>;

const Status = Type.Enum([...verificationStatuses], {
  description: `\`failed\`: after ${mostTries} wrong tries. \`canceled\`: by a newer start for the same recipient.`,
});

const attemptsLeft = Type.Integer({
  minimum: 0,
  maximum: mostTries,
  description: 'How many more checks it takes while it is pending.',
});

const started = {
  id: prefixedId('ver', 'The verification ID.'),
  status: Status,
  expiresAt: Timestamp,
  sandbox: Type.Boolean({
    description:
      'True if every route is a sandbox account. Then nothing was sent, and the code is zeros only, such as `000000`.',
  }),
};

/** A verification as its start answers it. */
export const StartedVerification = Type.Object(started);
export type StartedVerification = Static<typeof StartedVerification>;

/** A verification as `GET /v1/notify/verifications/:id` and `GET /v1/verifications/:id` answer it. */
export const CodeVerification = Type.Object({
  ...started,
  to,
  attempts: Type.Integer({ minimum: 0, description: 'How many checks counted so far, right or wrong.' }),
  attemptsLeft,
  createdAt: Timestamp,
  endedAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When it was approved, or ended otherwise. Null while it is pending.',
    }),
  ),
  groupId: prefixedId(
    'grp',
    'The group of its messages: `GET /v1/notify/groups/{id}` shows what became of them. In each of them the code is masked.',
  ),
  ...shownLabels,
});
export type CodeVerification = Static<typeof CodeVerification>;

/** Body of `POST /v1/notify/verifications/:id/check`. */
export const CheckVerification = Type.Object(
  {
    code: Type.String({
      pattern: '^[0-9]{4,10}$',
      description: 'The code as the person entered it, digits only.',
      examples: ['271828'],
    }),
  },
  { additionalProperties: false },
);

/** What a check answers. */
export const CheckedVerification = Type.Object({
  status: Type.Enum(['pending', 'approved', 'failed'], {
    description: `\`approved\`: the code was right. \`pending\`: it was wrong, try again. \`failed\`: it was wrong, and no try is left.`,
  }),
  attemptsLeft,
});
export type CheckedVerification = Static<typeof CheckedVerification>;

const prefix = Type.String({
  pattern: '^\\+[1-9][0-9]{0,3}$',
  description:
    'A country code of E.164, such as `+49`. Countries that share one, such as those of `+1`, count together.',
  examples: ['+49'],
});

const startsPerHour = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Verifications that may be started in a clock hour. 0 blocks the prefix.',
});

/** Body of `PUT /v1/verification-limits`. */
export const ChangeVerificationLimits = Type.Object(
  {
    startsPerHour: Type.Optional(
      Type.Integer({
        ...startsPerHour,
        default: defaultStartsPerHour,
        description: 'For every prefix without its own limit.',
      }),
    ),
    prefixes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            prefix,
            startsPerHour: Type.Optional(nullable(startsPerHour)),
            guarded: Type.Optional(
              Type.Boolean({
                default: true,
                description: 'False: the prefix is never held, whatever becomes of its codes.',
              }),
            ),
            held: Type.Optional(
              Type.Literal(false, { description: 'False releases a prefix that is held.' }),
            ),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: 300,
          description:
            'Prefixes with their own rules. Those that are left out go back to the defaults; a hold stays.',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    examples: [{ startsPerHour: 500, prefixes: [{ prefix: '+49', startsPerHour: 5_000 }] }],
  },
);
export type ChangeVerificationLimits = Static<typeof ChangeVerificationLimits>;

/** The limits of a tenant, as `GET /v1/verification-limits` answers them. */
export const VerificationLimits = Type.Object({
  startsPerHour,
  prefixes: Type.Array(
    Type.Object({
      prefix,
      startsPerHour: nullable(Type.Integer({ ...startsPerHour, description: 'Null: the default above.' })),
      guarded: Type.Boolean({ description: 'Whether it can be held.' }),
      heldUntil: nullable(
        Type.String({
          format: 'date-time',
          description:
            'Until when starts are refused with `verification-held`, because too few codes were entered. Null if it is not held.',
        }),
      ),
    }),
    { description: 'Prefixes with their own rules, and those that are held.' },
  ),
});
export type VerificationLimits = Static<typeof VerificationLimits>;

/** Query of `GET /v1/usage/verifications`. */
export const VerificationUsageQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Rounded down to a whole hour (UTC). Default: 24 hours before `until`.',
      }),
    ),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'Rounded up to a whole hour (UTC). Default: now.' }),
    ),
  },
  { additionalProperties: false },
);

function count(description: string): Type.TInteger {
  return Type.Integer({ minimum: 0, description });
}

const figures = {
  starts: count('Verifications that were started.'),
  checked: count('Verifications of this time whose code was entered at least once, right or wrong.'),
  checks: count('Checks that counted, right or wrong.'),
  approved: count('Verifications that were approved.'),
  failed: count('Verifications that failed by wrong tries.'),
  refused: count('Starts that a limit or a hold refused.'),
};

/** Figures by country prefix, as `GET /v1/usage/verifications` answers them. */
export const VerificationUsage = Type.Object({
  from: Timestamp,
  until: Timestamp,
  totals: Type.Object(figures),
  prefixes: Type.Array(
    Type.Object({
      prefix: nullable(
        Type.String({ description: 'Null for recipients that are no phone numbers.', examples: ['+49'] }),
      ),
      ...figures,
      heldUntil: VerificationLimits.properties.prefixes.items.properties.heldUntil,
    }),
    { description: 'Most starts first.' },
  ),
});
export type VerificationUsage = Static<typeof VerificationUsage>;
