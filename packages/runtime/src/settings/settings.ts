import {
  bearerToken,
  baseUrl,
  databaseUrl,
  integer,
  jwtSecrets,
  type Kind,
  mailAddress,
  objectStoreUrl,
  masterKeys,
  oneOf,
  onOff,
  planRates,
  providerUrls,
  redisUrl,
  seconds,
  targets,
  text,
  urlOf,
} from './setting-kinds.ts';
import { shortestRetentionDays } from '@notify/core';
import { seedSettings } from './seed-settings.ts';
import { telemetrySettings } from './telemetry-settings.ts';
import { whatsappSettings } from './whatsapp-settings.ts';

/** The set of defaults in force: those of `npm start`, or the strict ones. */
export type Mode = 'development' | 'production';

/** One line of the table of settings. */
export interface Setting<T = unknown> {
  /** The environment variable. */
  readonly variable: string;
  /** The name of the variable before it was renamed. A process that is given only that one does not start. */
  readonly formerly?: string;
  readonly kind: Kind<T>;
  /**
   * The default when the variable is unset, written as the variable would be; per mode if the modes differ. With `null`
   * the setting is null. Without a fallback the variable is required.
   */
  readonly fallback?: string | null | Readonly<Record<Mode, string>>;
  readonly unit?: string;
  /** The value must never be shown, even in a problem. */
  readonly secret?: true;
  /** One or two sentences for `docs/config.md`. */
  readonly about: string;
}

const day = 'days';

/** Every setting of every process. `docs/config.md` is generated from it. */
export const settingsTable = {
  mode: {
    variable: 'NOTIFY_MODE',
    kind: oneOf('development', 'production'),
    fallback: 'production',
    about: 'Which set of defaults applies. `npm start` uses `development`.',
  },
  host: {
    variable: 'HOST',
    kind: text,
    fallback: { development: '127.0.0.1', production: '0.0.0.0' },
    about: 'Address to listen on.',
  },
  port: {
    variable: 'PORT',
    kind: integer(0, 65_535),
    fallback: '3000',
    about: 'Port of the api. 0 picks a free port.',
  },
  healthPort: {
    variable: 'HEALTH_PORT',
    kind: integer(0, 65_535),
    fallback: null,
    about:
      'Port on which a process serves `/healthz`, `/readyz` and `/metrics`. If unset: 3001 for dispatch workers, 3002 for webhook workers, 3003 for whatsapp-sessions, 3004 for the api. `npm start` and `notify all` use this port and those after it, in that order, or free ones if it is unset.',
  },
  healthHost: {
    variable: 'HEALTH_HOST',
    kind: text,
    fallback: null,
    about:
      'Address to serve `HEALTH_PORT` on. If unset: `HOST`, and 127.0.0.1 for `npm start` and `notify all`.',
  },
  metrics: {
    variable: 'METRICS',
    kind: onOff,
    fallback: 'on',
    about: 'Whether `HEALTH_PORT` serves metrics for Prometheus at `/metrics`.',
  },
  metricsToken: {
    variable: 'METRICS_TOKEN',
    kind: bearerToken,
    fallback: null,
    secret: true,
    about: 'If set, `/metrics` requires `Authorization: Bearer` with this token.',
  },
  publicUrl: {
    variable: 'PUBLIC_URL',
    kind: baseUrl,
    fallback: null,
    about:
      'URL at which the api is reached from outside: by providers for callbacks, and by browsers for the links in mails. If unset, `callbackUrl` is null.',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    kind: integer(0, 10),
    fallback: '0',
    about:
      "Number of proxies in front of the api whose `X-Forwarded-For` is trusted for the client's address. Make sure that clients cannot bypass the proxies: they could claim any address.",
  },
  drainMs: {
    variable: 'DRAIN_SECONDS',
    kind: seconds(0, 60),
    fallback: '0',
    unit: 'seconds',
    about:
      'How long an api goes on as before after `SIGTERM`, while `/readyz` answers 503. Set it to more than a proxy takes to notice that, so that the proxy stops choosing the process before it refuses connections.',
  },
  dataDir: {
    variable: 'DATA_DIR',
    kind: text,
    fallback: './.data',
    about: 'Directory of the embedded Postgres and the generated secrets. Only used in development.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    kind: databaseUrl,
    secret: true,
    about:
      'Postgres 18 or later. If unset, `npm start` starts an embedded one. Several servers are listed as for libpq: `postgres://user:password@host1:5432,host2:5432/database`. Connections go to the one that takes writes, unless `target_session_attrs` says otherwise.',
  },
  databasePooler: {
    variable: 'DATABASE_POOLER',
    kind: oneOf('none', 'session', 'transaction'),
    fallback: 'none',
    about:
      'Mode of the pooler that `DATABASE_URL` leads to: `pool_mode` of PgBouncer, or `none` for Postgres itself. See [Connection poolers](postgres.md#connection-poolers).',
  },
  preparedStatements: {
    variable: 'PREPARED_STATEMENTS',
    kind: onOff,
    fallback: 'on',
    about:
      'Whether statements are prepared. Set it to `off` behind a pooler in transaction mode that forgets them, such as PgBouncer before 1.21.',
  },
  databaseSessionUrl: {
    variable: 'DATABASE_SESSION_URL',
    kind: databaseUrl,
    fallback: null,
    secret: true,
    about:
      'Postgres without a pooler, or through one in session mode. Operator commands use it, and a queue in Postgres, which needs it if `DATABASE_POOLER` is `transaction`. If unset, both use `DATABASE_URL`.',
  },
  databaseReadUrl: {
    variable: 'DATABASE_READ_URL',
    kind: databaseUrl,
    fallback: null,
    secret: true,
    about:
      'A replica of the database, without a pooler, from which an api reads lists of messages and usage figures. They are then as old as the replica. Example: `postgres://user:password@replica:5432,primary:5432/database?target_session_attrs=prefer-standby`. If unset, they come from `DATABASE_URL`.',
  },
  databaseConnections: {
    variable: 'DATABASE_CONNECTIONS',
    kind: integer(5, 1_000),
    fallback: '10',
    about:
      'Maximum number of connections per process. Each process opens one more to show itself to operators, and a dispatch worker one more to sample. A dispatch worker opens one more for usage figures and three during maintenance, a `whatsapp-sessions` two more for leases, and an api four more for dashboard queries, and as many again to `DATABASE_READ_URL`.',
  },
  redisUrl: {
    variable: 'REDIS_URL',
    kind: redisUrl,
    fallback: null,
    secret: true,
    about:
      'Redis 7 or Valkey 8 or later, for queues and rate limits: one server, Sentinel or a cluster. The password of Sentinel names is that of the servers, and `sentinelPassword` that of the sentinels; with `rediss+sentinel` both use TLS. Percent-encode passwords. If unset, queues and rate limits use Postgres.',
  },
  queuePartitions: {
    variable: 'QUEUE_PARTITIONS',
    kind: integer(1, 256),
    fallback: '1',
    about:
      'Number of queues per kind and lane. Must be the same in every process. 1 is enough for one Redis. A cluster spreads the queues, so give it at least two for each master.',
  },
  masterKeys: {
    variable: 'MASTER_KEYS',
    kind: masterKeys,
    secret: true,
    about:
      'Keys that encrypt secrets at rest. The first key encrypts, all keys decrypt. Create one with `openssl rand -base64 32`. In development, they are generated in `DATA_DIR`.',
  },
  jwtSecrets: {
    variable: 'JWT_SECRETS',
    kind: jwtSecrets,
    secret: true,
    about:
      'Secrets that sign access tokens. The first secret signs, all secrets verify. In development, they are generated in `DATA_DIR`.',
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
      '`on` allows requests to loopback and private addresses, and webhooks over http. `off` allows only public addresses, https webhooks, and the targets in `EGRESS_ALLOW`.',
  },
  egressAllow: {
    variable: 'EGRESS_ALLOW',
    kind: targets,
    fallback: '',
    about:
      'Private addresses that requests may still reach, such as an SMS gateway or a test endpoint. Example: `10.0.0.0/8:8080,gateway.local:13013`.',
  },
  egressProxy: {
    variable: 'EGRESS_PROXY',
    kind: urlOf('http'),
    fallback: null,
    secret: true,
    about:
      'HTTP proxy for all outgoing requests. Example: `http://user:password@proxy.local:3128`. CONNECT requests use the checked IP addresses, never host names.',
  },
  providerUrls: {
    variable: 'PROVIDER_URLS',
    kind: providerUrls,
    fallback: '',
    about:
      'Base URLs that replace those of the providers. They may be private. Example: `telegram-bot=http://127.0.0.1:8081`.',
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
    about: "Whether anyone can register. With `closed`, only the operator's command line creates tenants.",
  },
  smtpUrl: {
    variable: 'SMTP_URL',
    kind: urlOf('smtp', 'smtps'),
    fallback: null,
    secret: true,
    about:
      'Mail server for links to a new password and for the verification of email addresses. Example: `smtp://user:password@mail.local:587?requireTLS=true`. Requires `MAIL_FROM` and `PUBLIC_URL`. If unset, `npm run notify -- password-link` prints such links.',
  },
  mailFrom: {
    variable: 'MAIL_FROM',
    kind: mailAddress,
    fallback: null,
    about: 'Sender of mails. Example: `Notify <no-reply@example.com>`.',
  },
  emailVerification: {
    variable: 'EMAIL_VERIFICATION',
    kind: oneOf('off', 'required'),
    fallback: 'off',
    about:
      'With `required`, sends are rejected with 403 until the tenant has opened the link that it gets by mail. This includes tenants that registered before. Requires `SMTP_URL`.',
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
    about: 'With `block`, sends after the trial are rejected with 402 until the tenant has a plan.',
  },
  keyRatePerMinute: {
    variable: 'KEY_RATE_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '600',
    unit: 'requests per minute',
    about:
      'Rate limit of an API key without `rateLimitOverride`, and of the sends of all sessions and service tokens of a tenant together.',
  },
  messagesPerMinute: {
    variable: 'MESSAGES_PER_MINUTE',
    kind: planRates,
    fallback: '60000',
    unit: 'messages per minute',
    about:
      'Rate limit of messages per tenant, over all API keys and the dashboard. A bulk call of 100 counts as 100. 0 means no limit. `60000,trial=600` sets another limit for the plan `trial`.',
  },
  sessionRatePerMinute: {
    variable: 'SESSION_RATE_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '1200',
    unit: 'requests per minute',
    about: 'Rate limit of a session, and of a service token. All tabs of a browser share one session.',
  },
  accountChecksPerMinute: {
    variable: 'ACCOUNT_CHECKS_PER_MINUTE',
    formerly: 'VERIFICATIONS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '30',
    unit: 'requests per minute',
    about: 'Rate limit of checks of channel accounts per tenant.',
  },
  webhookTestsPerMinute: {
    variable: 'WEBHOOK_TESTS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '30',
    unit: 'requests per minute',
    about: 'Rate limit of webhook test events per tenant.',
  },
  callbacksPerSecond: {
    variable: 'CALLBACKS_PER_SECOND',
    kind: integer(1, 1_000_000),
    fallback: '3000',
    unit: 'requests per second',
    about:
      'Rate limit of provider callbacks per account and process. Further callbacks get 429, and the provider retries them. Forged callbacks do not count.',
  },
  loginAttemptsPerMinute: {
    variable: 'LOGIN_ATTEMPTS_PER_MINUTE',
    kind: integer(1, 1_000_000),
    fallback: '10',
    unit: 'attempts per minute',
    about:
      'Rate limit of login attempts per account. Password confirmations within a session, and requests for a forgotten password per client address, have the same limit, counted separately.',
  },
  loginAttemptsPerAddress: {
    variable: 'LOGIN_ATTEMPTS_PER_ADDRESS',
    kind: integer(1, 1_000_000),
    fallback: '60',
    unit: 'attempts per minute',
    about:
      'Rate limit of login attempts per client address. Registrations, and passwords set by a link, have the same limit, counted separately.',
  },
  bcryptCost: {
    variable: 'BCRYPT_COST',
    kind: integer(4, 16),
    fallback: '12',
    about: 'Cost of password hashes. Each step doubles the work. Use values below 10 only for tests.',
  },
  maxWaitingPerTenant: {
    variable: 'MAX_WAITING_PER_TENANT',
    kind: integer(1, 100_000_000),
    fallback: '200000',
    unit: 'messages',
    about: 'Maximum number of waiting messages per tenant. Further sends are rejected with 429.',
  },
  maxScheduledPerTenant: {
    variable: 'MAX_SCHEDULED_PER_TENANT',
    kind: integer(1, 100_000_000),
    fallback: '1000000',
    unit: 'messages',
    about:
      'Maximum number of messages per tenant that are scheduled for later (`sendAt`). They do not count as waiting until they are due. Further ones are rejected with 429.',
  },
  maxFileBytes: {
    variable: 'MAX_FILE_BYTES',
    kind: integer(1, 104_857_600),
    fallback: '16777216',
    unit: 'bytes',
    about:
      'Largest file that can be uploaded (`POST /v1/notify/files`). Without `FILES_URL` uploaded files are stored in Postgres, so each passes through its log and its replicas once. No channel takes more than 100 MB.',
  },
  maxFileBytesPerTenant: {
    variable: 'MAX_FILE_BYTES_PER_TENANT',
    kind: integer(1, 1_099_511_627_776),
    fallback: '1073741824',
    unit: 'bytes',
    about:
      'Maximum size of all uploaded files of a tenant together, until they are removed. Further uploads are rejected with 409.',
  },
  filesUrl: {
    variable: 'FILES_URL',
    kind: objectStoreUrl,
    fallback: null,
    secret: true,
    about:
      'Bucket of an S3-compatible store that takes uploaded files in place of Postgres, the same for every process. Key and secret are percent-encoded; the default endpoint is that of AWS. Example: `s3://AKIA…:secret@notify-files/uploads?region=eu-central-1`. See [Files in a bucket](operating.md#files-in-a-bucket).',
  },
  filesStore: {
    variable: 'FILES_STORE',
    kind: oneOf('postgres', 's3'),
    fallback: null,
    about:
      'Where new uploads go. If unset: `s3` with `FILES_URL`, otherwise `postgres`. `postgres` keeps `FILES_URL` for the files that are in the bucket already.',
  },
  maxWebhooks: {
    variable: 'MAX_WEBHOOKS',
    kind: integer(1, 10_000),
    fallback: '20',
    about: 'Maximum number of webhooks per tenant.',
  },
  maxApiKeys: {
    variable: 'MAX_API_KEYS',
    kind: integer(1, 10_000),
    fallback: '100',
    about: 'Maximum number of API keys per tenant.',
  },
  maxServiceTokens: {
    variable: 'MAX_SERVICE_TOKENS',
    kind: integer(1, 10_000),
    fallback: '100',
    about: 'Maximum number of service tokens per tenant.',
  },
  maxChannelAccounts: {
    variable: 'MAX_CHANNEL_ACCOUNTS',
    kind: integer(1, 10_000),
    fallback: '100',
    about: 'Maximum number of channel accounts per tenant.',
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
    kind: integer(shortestRetentionDays, 3_650),
    fallback: '90',
    unit: day,
    about:
      'How long messages and usage figures are kept. Must not be less than `IDEMPOTENCY_DAYS`. A message can be scheduled at most this minus 8 days ahead, and at most 30 days.',
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
    about: 'How long to wait for a delivery receipt after an unknown outcome.',
  },
  maxCallsInFlight: {
    variable: 'MAX_CALLS_IN_FLIGHT',
    kind: integer(1, 10_000),
    fallback: '64',
    about:
      'Maximum number of concurrent provider calls per dispatch worker, in each of its two lanes. A sixteenth is reserved for accounts that send little.',
  },
  maxPostsInFlight: {
    variable: 'MAX_POSTS_IN_FLIGHT',
    kind: integer(1, 10_000),
    fallback: '256',
    about:
      'Maximum number of concurrent webhook posts per webhook worker, in each of its two lanes. A sixteenth is reserved for webhooks that receive little.',
  },
  maxMediaInFlight: {
    variable: 'MAX_MEDIA_IN_FLIGHT',
    kind: integer(1, 1_000),
    fallback: '8',
    about:
      'Maximum number of files that a dispatch worker downloads, and uploads if the provider requires it, at once in each of its two lanes.',
  },
  spoolDir: {
    variable: 'SPOOL_DIR',
    kind: text,
    fallback: null,
    about:
      "Directory that holds media files from download to the end of the upload, up to 100 MB each, and with `FILES_URL` files on their way to the bucket. If unset: `notify-spool` in the system's temporary directory.",
  },
  turnSlots: {
    variable: 'TURN_SLOTS',
    kind: integer(1, 10_000),
    fallback: '2000',
    about:
      'Maximum number of accounts or webhooks that a process works on at once, in each of its two lanes. Others wait for a free slot.',
  },
  ...whatsappSettings,
  ...seedSettings,
  ...telemetrySettings,
} as const satisfies Record<string, Setting>;
