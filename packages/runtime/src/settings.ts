import {
  baseUrl,
  integer,
  jwtSecrets,
  type Kind,
  masterKeys,
  oneOf,
  onOff,
  planRates,
  providerUrls,
  seconds,
  targets,
  text,
  urlOf,
} from './setting-kinds.ts';
import { whatsappSettings } from './whatsapp-settings.ts';

/** Which set of defaults holds: what `npm start` runs, or the strict one. */
export type Mode = 'development' | 'production';

/** One line of the table of settings. */
export interface Setting<T = unknown> {
  /** The environment variable. */
  readonly variable: string;
  readonly kind: Kind<T>;
  /**
   * What holds when the variable is unset, written as the variable would be; per mode where the modes differ. `null`:
   * then the setting is null. Absent: the variable must be given.
   */
  readonly fallback?: string | null | Readonly<Record<Mode, string>>;
  readonly unit?: string;
  /** The value must never be shown, not even in a problem. */
  readonly secret?: true;
  /** One sentence or two for `docs/config.md`. */
  readonly about: string;
}

const day = 'days';

/** Every setting of every process. `docs/config.md` is generated from it. */
export const settingsTable = {
  mode: {
    variable: 'NOTIFY_MODE',
    kind: oneOf('development', 'production'),
    fallback: 'production',
    about: 'Which column of defaults holds. `npm start` runs `development`.',
  },
  host: {
    variable: 'HOST',
    kind: text,
    fallback: { development: '127.0.0.1', production: '0.0.0.0' },
    about: 'Address that is listened on.',
  },
  port: {
    variable: 'PORT',
    kind: integer(0, 65_535),
    fallback: '3000',
    about: 'Port of the api; 0 takes a free one.',
  },
  healthPort: {
    variable: 'HEALTH_PORT',
    kind: integer(0, 65_535),
    fallback: null,
    about:
      'Port on which a worker answers `/healthz` and `/readyz`. Unset: 3001 for dispatch workers, 3002 for webhook workers, 3003 for whatsapp-sessions.',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    kind: baseUrl,
    fallback: null,
    about: 'Address under which providers reach the api for their callbacks. Unset: `callbackUrl` is null.',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    kind: integer(0, 10),
    fallback: '0',
    about:
      "Proxies in front of the api whose `X-Forwarded-For` is believed about the client's address. Clients must not reach the api past them: they could claim any address.",
  },
  dataDir: {
    variable: 'DATA_DIR',
    kind: text,
    fallback: './.data',
    about: 'Folder of the embedded Postgres and of the generated secrets; used in development only.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    kind: urlOf('postgres', 'postgresql'),
    secret: true,
    about: 'Postgres 18 or later. `npm start` starts one of its own where this is unset.',
  },
  databaseConnections: {
    variable: 'DATABASE_CONNECTIONS',
    kind: integer(5, 1_000),
    fallback: '10',
    about:
      'Connections that one process opens at most; dispatch workers two more while they clean up, an api four more for what the dashboard shows.',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    kind: urlOf('redis', 'rediss'),
    fallback: null,
    secret: true,
    about: 'Redis for queues and rate limits. Unset: both are kept in Postgres.',
  },
  queuePartitions: {
    variable: 'QUEUE_PARTITIONS',
    kind: integer(1, 256),
    fallback: '1',
    about: 'Queues per kind and lane; the same in every process. 1 is fine on a single Redis.',
  },
  masterKeys: {
    variable: 'MASTER_KEYS',
    kind: masterKeys,
    secret: true,
    about:
      'Keys that encrypt secrets at rest. The first seals, all open. `openssl rand -base64 32` makes one. In development they are generated into `DATA_DIR`.',
  },
  jwtSecrets: {
    variable: 'JWT_SECRETS',
    kind: jwtSecrets,
    secret: true,
    about:
      'Secrets of the access tokens. The first signs, all verify. In development they are generated into `DATA_DIR`.',
  },
  cookieSecure: {
    variable: 'COOKIE_SECURE',
    kind: onOff,
    fallback: { development: 'off', production: 'on' },
    about: 'Whether the refresh cookie is sent over https only.',
  },
  allowPrivateWebhooks: {
    variable: 'EGRESS_PRIVATE',
    kind: onOff,
    fallback: { development: 'on', production: 'off' },
    about:
      'Whether requests may go to loopback and private addresses, and webhooks be called by http. `off`: public addresses only, webhooks by https only, and what `EGRESS_ALLOW` names.',
  },
  egressAllow: {
    variable: 'EGRESS_ALLOW',
    kind: targets,
    fallback: '',
    about:
      'Private addresses that requests may go to all the same: an SMS gateway, a test receiver. `10.0.0.0/8:8080,gateway.local:13013`.',
  },
  egressProxy: {
    variable: 'EGRESS_PROXY',
    kind: urlOf('http'),
    fallback: null,
    secret: true,
    about:
      'An HTTP proxy through which all requests leave: `http://user:password@proxy.local:3128`. It is asked to CONNECT to the addresses that were vetted, never to names.',
  },
  providerUrls: {
    variable: 'PROVIDER_URLS',
    kind: providerUrls,
    fallback: '',
    about:
      'Where providers are reached in place of their own addresses: `telegram-bot=http://127.0.0.1:8081`. They may be private.',
  },
  sandbox: {
    variable: 'SANDBOX',
    kind: onOff,
    fallback: { development: 'on', production: 'off' },
    about: 'Whether a new tenant gets a `sandbox` account on every channel.',
  },
  registration: {
    variable: 'REGISTRATION',
    kind: oneOf('open', 'closed'),
    fallback: 'open',
    about: "Whether anybody may register. `closed`: tenants are made with the operator's command line.",
  },
  trialDays: {
    variable: 'TRIAL_DAYS',
    kind: integer(0, 3_650),
    fallback: '14',
    unit: day,
    about: 'Length of the trial that starts at registration.',
  },
  trialEnforcement: {
    variable: 'TRIAL_ENFORCEMENT',
    kind: oneOf('off', 'block'),
    fallback: 'off',
    about: '`block`: after the trial, sends get 402 until the tenant has a plan.',
  },
  keyRatePerMinute: {
    variable: 'KEY_RATE_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '600',
    unit: 'requests per minute',
    about: 'Rate of an API key that has no `rateLimitOverride`.',
  },
  messagesPerMinute: {
    variable: 'MESSAGES_PER_MINUTE',
    kind: planRates,
    fallback: '60000',
    unit: 'messages per minute',
    about:
      'Messages that are taken from one tenant, by key and by hand together; a bulk call of 100 counts 100. 0 is no limit. `60000,trial=600` gives the plan `trial` another number.',
  },
  sessionRatePerMinute: {
    variable: 'SESSION_RATE_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '1200',
    unit: 'requests per minute',
    about: 'Requests that one session makes with its access tokens. All tabs of a browser share a session.',
  },
  verificationsPerMinute: {
    variable: 'VERIFICATIONS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '30',
    unit: 'requests per minute',
    about: 'Times that one tenant has providers asked whether the settings of its channel accounts work.',
  },
  webhookTestsPerMinute: {
    variable: 'WEBHOOK_TESTS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '30',
    unit: 'requests per minute',
    about: 'Test events that one tenant has sent to its webhooks.',
  },
  callbacksPerSecond: {
    variable: 'CALLBACKS_PER_SECOND',
    kind: integer(1, 1_000_000),
    fallback: '3000',
    unit: 'requests per second',
    about:
      "Providers' reports that one process takes for one account; above it they get 429 and come again. Forged ones do not count.",
  },
  loginAttemptsPerMinute: {
    variable: 'LOGIN_ATTEMPTS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '10',
    unit: 'attempts per minute',
    about: 'Logins that are tried per account, and as many confirmations of the password in its sessions.',
  },
  loginAttemptsPerAddress: {
    variable: 'LOGIN_ATTEMPTS_PER_ADDRESS',
    kind: integer(1, 1_000_000),
    fallback: '60',
    unit: 'attempts per minute',
    about: 'Logins that are tried per client address, and as many registrations.',
  },
  bcryptCost: {
    variable: 'BCRYPT_COST',
    kind: integer(4, 16),
    fallback: '12',
    about: 'Work factor of password hashes; one more doubles it. Below 10 is for tests.',
  },
  maxWaitingPerTenant: {
    variable: 'MAX_WAITING_PER_TENANT',
    kind: integer(1, 100_000_000),
    fallback: '200000',
    unit: 'messages',
    about: 'Messages of a tenant that may wait at once; above it, sends get 429.',
  },
  maxWebhooks: {
    variable: 'MAX_WEBHOOKS',
    kind: integer(1, 10_000),
    fallback: '20',
    about: 'Webhooks of a tenant.',
  },
  maxApiKeys: {
    variable: 'MAX_API_KEYS',
    kind: integer(1, 10_000),
    fallback: '100',
    about: 'API keys of a tenant.',
  },
  maxChannelAccounts: {
    variable: 'MAX_CHANNEL_ACCOUNTS',
    kind: integer(1, 10_000),
    fallback: '100',
    about: 'Channel accounts of a tenant.',
  },
  idempotencyDays: {
    variable: 'IDEMPOTENCY_DAYS',
    kind: integer(1, 365),
    fallback: '7',
    unit: day,
    about: 'How long an idempotency key is remembered.',
  },
  messageRetentionDays: {
    variable: 'MESSAGE_RETENTION_DAYS',
    kind: integer(1, 3_650),
    fallback: '90',
    unit: day,
    about: 'How long messages, and figures about them, are kept; not below `IDEMPOTENCY_DAYS`.',
  },
  deliveryRetentionDays: {
    variable: 'DELIVERY_RETENTION_DAYS',
    kind: integer(1, 3_650),
    fallback: '30',
    unit: day,
    about: 'How long webhook deliveries and their attempts are kept.',
  },
  receiptWaitMs: {
    variable: 'RECEIPT_WAIT_SECONDS',
    kind: seconds(1, 3_600),
    fallback: '120',
    unit: 'seconds',
    about: "How long a provider's receipt is awaited after an unknown outcome.",
  },
  maxCallsInFlight: {
    variable: 'MAX_CALLS_IN_FLIGHT',
    kind: integer(1, 10_000),
    fallback: '64',
    about:
      'Calls to providers that one dispatch worker has in flight at once, in each of its two lanes. A sixteenth is kept for accounts that send little.',
  },
  maxPostsInFlight: {
    variable: 'MAX_POSTS_IN_FLIGHT',
    kind: integer(1, 10_000),
    fallback: '256',
    about:
      'Posts to webhooks that one webhook worker has in flight at once, in each of its two lanes. A sixteenth is kept for webhooks that get little.',
  },
  maxMediaInFlight: {
    variable: 'MAX_MEDIA_IN_FLIGHT',
    kind: integer(1, 1_000),
    fallback: '8',
    about:
      'Files that one dispatch worker fetches, and uploads where the provider wants that, at once in each of its two lanes.',
  },
  spoolDir: {
    variable: 'SPOOL_DIR',
    kind: text,
    fallback: null,
    about:
      "Folder that holds files from their download to the end of their upload, up to 100 MB each. Unset: `notify-spool` in the system's folder for temporary files.",
  },
  turnSlots: {
    variable: 'TURN_SLOTS',
    kind: integer(1, 10_000),
    fallback: '2000',
    about:
      'Accounts or webhooks that one process works on at once, in each of its two lanes. Where more have work, they wait for each other.',
  },
  ...whatsappSettings,
  logLevel: {
    variable: 'LOG_LEVEL',
    kind: oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    fallback: 'info',
    about: 'The least level that is logged.',
  },
} as const satisfies Record<string, Setting>;
