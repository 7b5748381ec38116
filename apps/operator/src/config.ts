import { developmentSecrets, loadOnly, type Settings } from '@notify/runtime';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;
export type OperatorSettings = Pick<
  Settings,
  | 'databaseUrl'
  | 'databaseSessionUrl'
  | 'redisUrl'
  | 'queuePartitions'
  | 'whatsappPartitions'
  | 'sandbox'
  | 'trialDays'
  | 'bcryptCost'
  | 'publicUrl'
  | 'port'
>;

/** The environment of this process. */
export const ownEnvironment: Env = process.env;

/**
 * The environment of a command: the database of DATABASE_URL, else that of the `npm start` running on DATA_DIR. Throws
 * a one-line error if there is neither, and a SettingsError if a setting is wrong.
 */
export async function operatorEnvironment(env: Env): Promise<Env> {
  if (env.DATABASE_URL) return env;
  const { dataDir } = loadOnly(env, ['dataDir']);
  const file = path.join(dataDir, 'connection.json');
  if (!existsSync(file)) throw new Error('no database: set DATABASE_URL, or run npm start');
  const connection = JSON.parse(await readFile(file, 'utf8')) as Env;
  return { NOTIFY_MODE: 'development', ...env, ...connection };
}

/** Whether npm runs this process from the repository, as `npm run notify`. */
export function isUnderNpm(env: Env): boolean {
  return env.npm_lifecycle_event === 'notify' && env.npm_package_name === 'notify';
}

/** The settings that commands need. */
export function operatorSettings(env: Env): OperatorSettings {
  return loadOnly(env, [
    'databaseUrl',
    'databaseSessionUrl',
    'redisUrl',
    'queuePartitions',
    'whatsappPartitions',
    'sandbox',
    'trialDays',
    'bcryptCost',
    'publicUrl',
    'port',
  ]);
}

/** The keys that encrypt stored secrets. Only commands that encrypt or re-encrypt need them. */
export async function masterKeys(env: Env): Promise<Settings['masterKeys']> {
  return loadOnly(await withSecrets(env), ['masterKeys']).masterKeys;
}

export interface KeyNames {
  readonly masterKeys: readonly string[];
  readonly jwtSecrets: readonly string[];
}

/** The names of the keys that are set. Throws a SettingsError for a setting that is wrong. */
export async function keyNames(env: Env): Promise<KeyNames> {
  const given = await withSecrets(env);
  return {
    masterKeys: given.MASTER_KEYS
      ? loadOnly(given, ['masterKeys']).masterKeys.map(({ version }) => String(version))
      : [],
    jwtSecrets: given.JWT_SECRETS ? loadOnly(given, ['jwtSecrets']).jwtSecrets.map(({ kid }) => kid) : [],
  };
}

/** In development, secrets that are not set are those of DATA_DIR. */
async function withSecrets(env: Env): Promise<Env> {
  const isGenerated = env.NOTIFY_MODE === 'development' && !(env.MASTER_KEYS && env.JWT_SECRETS);
  if (!isGenerated) return env;
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  return { ...(await developmentSecrets(loadOnly(env, ['dataDir']).dataDir)), ...given };
}

/** Whether the person wants colours: NO_COLOR is unset or empty (https://no-color.org). */
export function wantsColour(env: Env): boolean {
  return (env.NO_COLOR ?? '') === '';
}
