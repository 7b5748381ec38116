import { developmentSecrets } from './development-secrets.ts';
import { seedConflicts } from './seed-settings.ts';
import type { Kind } from './setting-kinds.ts';
import { type Mode, type Setting, settingsTable } from './settings.ts';

type Table = typeof settingsTable;
/** The name of a setting in the code. */
export type SettingName = keyof Table;
type ValueOf<S> = S extends { kind: Kind<infer T> } ? (S extends { fallback: null } ? T | null : T) : never;
/** Every setting, read and checked. */
export type Settings = { readonly [Name in SettingName]: ValueOf<Table[Name]> };

type Env = Readonly<Record<string, string | undefined>>;

/** Some variables are missing or wrong; `problems` has one line per problem. The text never shows a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`invalid settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** Reads every setting. Throws a SettingsError that lists all problems at once. An empty variable counts as unset. */
export function loadSettings(env: Env): Settings {
  return loadOnly(env, Object.keys(settingsTable) as SettingName[]);
}

/** Reads only the named settings, for example for a command that needs no keys. Throws as `loadSettings` does. */
export function loadOnly<Name extends SettingName>(env: Env, names: readonly Name[]): Pick<Settings, Name> {
  const mode = modeOf(env);
  const values: Partial<Record<SettingName, unknown>> = {};
  const problems: string[] = [];
  for (const name of names) {
    const result = readSetting(settingsTable[name], env, mode);
    if ('problem' in result) problems.push(result.problem);
    else values[name] = result.value;
  }
  problems.push(...conflicts(values as Partial<Settings>, mode));
  if (problems.length > 0) throw new SettingsError(problems);
  return values as Pick<Settings, Name>;
}

/**
 * The settings of a process at its start, as from `loadSettings`. In development mode, missing keys come from
 * `DATA_DIR`, where the first start makes them.
 */
export async function loadProcessSettings(env: Env = process.env): Promise<Settings> {
  const secretsGiven = isSet(env.MASTER_KEYS) && isSet(env.JWT_SECRETS);
  if (secretsGiven || modeOf(env) === 'production') return loadSettings(env);
  const { dataDir } = loadOnly(env, ['dataDir']);
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => isSet(value)));
  return loadSettings({ ...(await developmentSecrets(dataDir)), ...given });
}

type ReadResult = { readonly value: unknown } | { readonly problem: string };

function readSetting(setting: Setting, env: Env, mode: Mode): ReadResult {
  const given = env[setting.variable];
  if (setting.formerly !== undefined && isSet(env[setting.formerly]) && !isSet(given))
    return { problem: `${setting.formerly} has a new name; set ${setting.variable} instead` };
  const written = isSet(given) ? given : fallbackOf(setting, mode);
  if (written === null) return { value: null };
  const expected = `expected ${setting.kind.expects.replaceAll('`', '')}`;
  if (written === undefined) return { problem: `${setting.variable} is not set; ${expected}` };
  const value = setting.kind.parse(written);
  if (value !== null) return { value };
  const { kind } = setting;
  const fault = setting.secret ? kind.discreetFault?.(written) : kind.fault?.(written);
  const got = setting.secret ? 'the given value is invalid' : `got ${JSON.stringify(written)}`;
  if (fault !== undefined && fault !== null) return { problem: `${setting.variable}: ${fault}` };
  return { problem: `${setting.variable}: ${expected}; ${got}` };
}

function fallbackOf(setting: Setting, mode: Mode): string | null | undefined {
  const { fallback } = setting;
  return typeof fallback === 'object' && fallback !== null ? fallback[mode] : fallback;
}

/** A wrong mode is reported as a problem. The other settings are then read as in production. */
function modeOf(env: Env): Mode {
  return env.NOTIFY_MODE === 'development' ? 'development' : 'production';
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

function conflicts(values: Partial<Settings>, mode: Mode): string[] {
  return [
    ...retentionConflicts(values),
    ...poolerConflicts(values),
    ...mailConflicts(values),
    ...seedConflicts(values, mode),
    ...filesConflicts(values),
  ];
}

function filesConflicts({ filesStore, filesUrl }: Partial<Settings>): string[] {
  if (filesStore !== 's3' || filesUrl !== null) return [];
  return ['FILES_URL is not set; expected a bucket, because FILES_STORE is s3'];
}

function retentionConflicts(values: Partial<Settings>): string[] {
  const { idempotencyDays = 0, messageRetentionDays = Infinity } = values;
  if (messageRetentionDays >= idempotencyDays) return [];
  return [
    `MESSAGE_RETENTION_DAYS (${messageRetentionDays}) is below IDEMPOTENCY_DAYS (${idempotencyDays}); expected at least as many`,
  ];
}

/** A queue in Postgres listens, and a pooler that lends a connection for a transaction would hand it to others. */
function poolerConflicts({ databasePooler, databaseSessionUrl, redisUrl }: Partial<Settings>): string[] {
  if (databasePooler !== 'transaction' || databaseSessionUrl !== null || redisUrl !== null) return [];
  return [
    'DATABASE_SESSION_URL is not set; expected the URL of Postgres itself, because DATABASE_POOLER is transaction and, without REDIS_URL, the queue is in Postgres',
  ];
}

/** A mail needs a sender, and the address that its link leads to. Null means unset; undefined, that it was not read. */
function mailConflicts({ smtpUrl, mailFrom, publicUrl, emailVerification }: Partial<Settings>): string[] {
  const mails = smtpUrl !== null && smtpUrl !== undefined;
  return [
    ...(mails && mailFrom === null
      ? ['MAIL_FROM is not set; expected a sender, because SMTP_URL is set']
      : []),
    ...(mails && publicUrl === null
      ? ['PUBLIC_URL is not set; expected the address for links in mails, because SMTP_URL is set']
      : []),
    ...(emailVerification === 'required' && smtpUrl === null
      ? ['SMTP_URL is not set; expected a mail server, because EMAIL_VERIFICATION is required']
      : []),
  ];
}
