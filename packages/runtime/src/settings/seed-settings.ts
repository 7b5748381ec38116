import { subscribableEvents, type SubscribableEvent } from '@notify/core';
import { secretText } from '../secrets/secret-text.ts';
import { type Kind, listOf, text, urlOf } from './setting-kinds.ts';

/**
 * What `notify all` and `npm start` create before they are ready, so that tests need no registration, as rows of the
 * settings table. Only for development: `seedConflicts` refuses them in production.
 */
export const seedSettings = {
  seedTenantEmail: {
    variable: 'NOTIFY_SEED_TENANT_EMAIL',
    kind: matching(/^[^\s<>@,]+@[^\s<>@,]+$/, 'email address'),
    fallback: null,
    about:
      'Creates a tenant with this email address at the start of `notify all` and `npm start`. If unset, and another `NOTIFY_SEED_…` is set: `ci@example.com`. In production, these settings are refused.',
  },
  seedTenantPassword: {
    variable: 'NOTIFY_SEED_TENANT_PASSWORD',
    kind: password(),
    fallback: null,
    secret: true,
    about:
      'Password of the created tenant, to log in to the dashboard with. If unset, nobody can log in as this tenant.',
  },
  seedApiKey: {
    variable: 'NOTIFY_SEED_API_KEY',
    kind: credential('svc_live_'),
    fallback: null,
    secret: true,
    about: 'An API key of the created tenant, with every scope. `notify new-credentials` prints one.',
  },
  seedServiceToken: {
    variable: 'NOTIFY_SEED_SERVICE_TOKEN',
    kind: credential('svc_tok_'),
    fallback: null,
    secret: true,
    about: 'A service token of the created tenant, with every scope. `notify new-credentials` prints one.',
  },
  seedWebhookUrl: {
    variable: 'NOTIFY_SEED_WEBHOOK_URL',
    kind: urlOf('http', 'https'),
    fallback: null,
    about: 'URL of a webhook of the created tenant. Requires `NOTIFY_SEED_WEBHOOK_SECRET`.',
  },
  seedWebhookSecret: {
    variable: 'NOTIFY_SEED_WEBHOOK_SECRET',
    kind: matching(
      /^whsec_(?:[A-Za-z0-9+/]{4}){8,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      '`whsec_` and at least 24 bytes in base64',
    ),
    fallback: null,
    secret: true,
    about: 'Secret that signs the posts to that webhook. `notify new-credentials` prints one.',
  },
  seedWebhookEvents: {
    variable: 'NOTIFY_SEED_WEBHOOK_EVENTS',
    kind: listOf<SubscribableEvent>(
      'names of events, each once',
      (item) => subscribableEvents.find((name) => name === item) ?? null,
      (name) => name,
    ),
    fallback: null,
    about:
      'Events of that webhook, such as `message.failed,message.received`. If unset: the five events of sent messages.',
  },
} as const;

type SeedValues = Readonly<Partial<Record<keyof typeof seedSettings, unknown>>>;

/** The seeds that are set. */
export function seedsIn(values: SeedValues): readonly string[] {
  return Object.entries(seedSettings)
    .filter(([name]) => (values[name as keyof SeedValues] ?? null) !== null)
    .map(([, { variable }]) => variable);
}

/** The problems of seeds: any in production, whose credentials would be known, and half a webhook. */
export function seedConflicts(values: SeedValues, mode: 'development' | 'production'): string[] {
  if (mode === 'production')
    return seedsIn(values).map(
      (variable) =>
        `${variable} is set, but NOTIFY_MODE is production; known credentials are for development only`,
    );
  const { seedWebhookUrl, seedWebhookSecret, seedWebhookEvents } = values;
  if (seedWebhookUrl === null && (seedWebhookSecret ?? seedWebhookEvents ?? null) !== null)
    return [
      'NOTIFY_SEED_WEBHOOK_URL is not set; expected a URL, because another NOTIFY_SEED_WEBHOOK_… is set',
    ];
  if (seedWebhookSecret === null && (seedWebhookUrl ?? null) !== null)
    return [
      'NOTIFY_SEED_WEBHOOK_SECRET is not set; expected a secret, because NOTIFY_SEED_WEBHOOK_URL is set',
    ];
  return [];
}

function credential(prefix: string): Kind<string> {
  const { isWellFormed } = secretText(prefix);
  return {
    expects: `\`${prefix}\`, 43 characters and their checksum`,
    parse: (value) => (isWellFormed(value) ? value : null),
  };
}

/** bcrypt reads 72 bytes of a password and drops the rest. */
function password(): Kind<string> {
  return {
    expects: 'at least 8 characters, at most 72 bytes of UTF-8',
    parse: (value) => (/^.{8,}$/u.test(value) && Buffer.byteLength(value) <= 72 ? value : null),
  };
}

function matching(pattern: RegExp, expects: string): Kind<string> {
  return { expects, parse: (value) => (pattern.test(value) ? text.parse(value) : null) };
}
