import Type, { type Static } from 'typebox';
import { nullable, prefixedId, Timestamp } from './fields.ts';

const name = Type.String({ minLength: 1, maxLength: 200, examples: ['Acme'] });
const email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'Not case-sensitive.',
  examples: ['ada@example.com'],
});
/** A new password. The api also checks bcrypt's limit of 72 bytes. */
const newPassword = Type.String({
  minLength: 8,
  maxLength: 72,
  description:
    'At most 72 bytes of UTF-8. Blank passwords, the name, the email address and common passwords such as `password` or `12345678` are rejected.',
  examples: ['correct horse battery'],
});
/** A password for comparison. A text that could never have been set is simply wrong. */
const password = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct horse battery'] });

/** Body of `POST /auth/register`. */
export const Register = Type.Object({ name, email, password: newPassword }, { additionalProperties: false });
export type Register = Static<typeof Register>;

/** Body of `POST /auth/login`. */
export const Login = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }), password },
  { additionalProperties: false },
);
export type Login = Static<typeof Login>;

const accessToken = Type.String({
  description: 'Send it as `Authorization: Bearer …`.',
  examples: ['eyJhbGciOiJIUzI1NiIsImtpZCI6IjEifQ.eyJzdWIiOiIwMTkxMmQ1ZiJ9.3Zx8'],
});
const shownName = Type.String({ examples: ['Acme'] });
const shownEmail = Type.String({ examples: ['ada@example.com'] });
const expiresIn = Type.Integer({ description: 'Lifetime in seconds.', examples: [900] });
const tenantId = prefixedId('ten', 'The tenant ID.');

/** The answer to `POST /auth/register` and `POST /auth/login`. */
export const LoggedIn = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    accessToken,
    expiresIn,
    user: Type.Object({ id: tenantId, name: shownName, email: shownEmail }),
  }),
});
export type LoggedIn = Static<typeof LoggedIn>;

/** Body of `POST /auth/refresh`. A browser omits it, because it has the cookie. */
export const Refresh = Type.Object(
  { refreshToken: Type.Optional(Type.String({ maxLength: 200, description: '`rt_…`' })) },
  { additionalProperties: false },
);

/** The answer to `POST /auth/refresh`. */
export const AccessToken = Type.Object({ accessToken, expiresIn });
export type AccessToken = Static<typeof AccessToken>;

/** The tenant's profile. */
export const Profile = Type.Object({
  id: tenantId,
  name: shownName,
  email: shownEmail,
  plan: Type.String({ examples: ['trial'] }),
  trialEndsAt: Timestamp,
  createdAt: Timestamp,
  emailVerification: Type.Enum(['off', 'required', 'done'], {
    description:
      'Whether the email address is verified. `required`: sends get 403 until it is. `off`: it is not, and need not be.',
  }),
});
export type Profile = Static<typeof Profile>;

/** Body of `PATCH /auth/me`. */
export const ChangeProfile = Type.Object(
  {
    name: Type.Optional(name),
    email: Type.Optional(email),
    password: Type.Optional(
      Type.String({ ...password, description: 'The present password. Required with `email`.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ name: 'Acme Ltd' }] },
);

/** The answer to `PATCH /auth/me`. */
export const ChangedProfile = Type.Object({
  ...Profile.properties,
  pendingEmail: nullable(
    Type.String({
      description:
        'The new address, if this request mailed a link to it: `email` changes when the link is opened. Otherwise null, even if the link of an earlier request can still be opened.',
    }),
  ),
});

/** Body of `POST /auth/password`. */
export const ChangePassword = Type.Object(
  { currentPassword: password, newPassword },
  { additionalProperties: false },
);

/** Body of `POST /auth/password/forgot`. */
export const ForgotPassword = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254, examples: ['ada@example.com'] }) },
  { additionalProperties: false },
);

/** How a link reaches the tenant. It is the same for every email address. */
export const LinkDelivery = Type.Object({
  delivery: Type.Enum(['email', 'operator'], {
    description: '`operator`: this service sends no mail, so ask its operator for a link.',
  }),
});
export type LinkDelivery = Static<typeof LinkDelivery>;

/** The token of a link that works once. */
const linkToken = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'The part of the link after its `#`.',
  examples: ['lnk_…'],
});

/** Body of `POST /auth/password/reset`. */
export const ResetPassword = Type.Object({ token: linkToken, newPassword }, { additionalProperties: false });

/** Body of `POST /auth/email/verify`. */
export const VerifyEmail = Type.Object({ token: linkToken }, { additionalProperties: false });

/** Body of `DELETE /auth/me`. */
export const DeleteTenant = Type.Object({ password }, { additionalProperties: false });

/** An open session, as `GET /auth/sessions` lists it. */
export const OpenSession = Type.Object({
  id: prefixedId('ses', 'The session ID.'),
  current: Type.Boolean({ description: 'True for the session of this request.' }),
  userAgent: nullable(Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64)'] })),
  address: nullable(Type.String({ examples: ['203.0.113.7'] })),
  createdAt: Timestamp,
  lastUsedAt: Type.String({
    format: 'date-time',
    description: 'When the session last received an access token, to the minute.',
    examples: ['2026-01-31T09:30:00.000Z'],
  }),
  expiresAt: Timestamp,
});
export type OpenSession = Static<typeof OpenSession>;
