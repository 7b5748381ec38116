import Type, { type Static } from 'typebox';

const header = { minLength: 1, maxLength: 100, pattern: "^[\\w!#$%&'*+.^`|~-]{1,100}$" };
/** The bounds of `toleranceSeconds`. */
const tolerance = { minimum: 10, maximum: 86_400 };

/** How the gateway shows that a callback comes from it. `check-signature.ts` says which settings go with which type. */
export const CallbackSignature = Type.Object(
  {
    type: Type.Enum(['hmac', 'ed25519', 'basic', 'addresses'], {
      title: 'Kind',
      description: 'How your gateway shows that a callback comes from it.',
      labels: {
        '': 'Not at all: callbacks are unsigned',
        hmac: 'Signature with a shared secret (HMAC)',
        ed25519: 'Signature with a key pair (Ed25519)',
        basic: 'User name and password (Basic)',
        addresses: 'It calls from known addresses',
      },
    }),
    header: Type.Optional(
      Type.String({
        ...header,
        title: 'Header with the signature',
        examples: ['X-Signature'],
      }),
    ),
    secret: Type.Optional(
      Type.String({
        title: 'Shared secret',
        description: 'The key of the HMAC, as your gateway shows it.',
        minLength: 1,
        maxLength: 1_000,
        secret: true,
      }),
    ),
    publicKey: Type.Optional(
      Type.String({
        title: 'Public key',
        description: 'The Ed25519 key of your gateway: 32 bytes in base64 or hexadecimal digits.',
        minLength: 43,
        maxLength: 64,
      }),
    ),
    algorithm: Type.Optional(
      Type.Enum(['sha1', 'sha256', 'sha512'], {
        title: 'Algorithm',
        labels: { sha1: 'HMAC-SHA1', sha256: 'HMAC-SHA256', sha512: 'HMAC-SHA512' },
        default: 'sha256',
      }),
    ),
    encoding: Type.Optional(
      Type.Enum(['hex', 'base64'], {
        title: 'Signature is written as',
        description: 'By default hexadecimal digits for HMAC, and base64 for Ed25519.',
        labels: { hex: 'Hexadecimal digits', base64: 'Base64' },
      }),
    ),
    prefix: Type.Optional(
      Type.String({
        title: 'Before the signature',
        description: 'What the header has before the signature.',
        minLength: 1,
        maxLength: 50,
        examples: ['sha256='],
      }),
    ),
    signed: Type.Optional(
      Type.String({
        title: 'What is signed',
        description:
          'A text with {{body}}, {{timestamp}}, {{url}} (the callback URL with its query), {{base_url}} (without it) and {{header.Name}}.',
        minLength: 1,
        maxLength: 500,
        default: '{{body}}',
        examples: ['{{timestamp}}.{{body}}'],
      }),
    ),
    timestampHeader: Type.Optional(
      Type.String({
        ...header,
        title: 'Header with the time',
        description:
          'Its value replaces {{timestamp}}: seconds or milliseconds since 1970, or a date and time in UTC.',
        examples: ['X-Timestamp'],
      }),
    ),
    toleranceSeconds: Type.Optional(
      Type.Integer({
        ...tolerance,
        title: 'Longest age',
        description: 'Callbacks whose time differs by more seconds from ours are refused as replays.',
        default: 300,
      }),
    ),
    username: Type.Optional(Type.String({ title: 'User name', minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ title: 'Password', minLength: 1, maxLength: 500, secret: true })),
    addresses: Type.Optional(
      Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
        title: 'Addresses',
        description: 'Addresses or CIDR blocks, IPv4 or IPv6, from which your gateway calls.',
        minItems: 1,
        maxItems: 50,
        examples: [['203.0.113.7', '2001:db8::/32']],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'Signature of callbacks',
    description:
      'How Notify recognizes callbacks of your gateway. Others get 404. Without it the secret in the callback URL is the only proof.',
  },
);

export type CallbackSignature = Static<typeof CallbackSignature>;
