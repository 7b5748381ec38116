import { loadOnly, loadProcessSettings } from '@notify/runtime';

/** What `npm start` itself needs to know, and the environment its processes get. */
export interface StartSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Null: a Postgres of our own. */
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly queuePartitions: number;
  readonly environment: NodeJS.ProcessEnv;
  /** npm runs us, and should end with it. */
  readonly underNpm: boolean;
}

/** Reads the settings; the mode is development unless NOTIFY_MODE says otherwise. Throws a SettingsError. */
export function startSettings(env: NodeJS.ProcessEnv = process.env): StartSettings {
  const environment = { ...env, NOTIFY_MODE: env.NOTIFY_MODE || 'development' };
  return {
    ...loadOnly(environment, ['host', 'port', 'dataDir', 'redisUrl', 'queuePartitions']),
    databaseUrl: env.DATABASE_URL ? loadOnly(environment, ['databaseUrl']).databaseUrl : null,
    environment,
    underNpm: env.npm_lifecycle_event === 'start',
  };
}

/**
 * Checks every other setting before anything is started, so that all that is wrong is said at once; in development this
 * makes the secrets at the first start.
 */
export async function checkSettings(environment: NodeJS.ProcessEnv): Promise<void> {
  await loadProcessSettings({
    ...environment,
    DATABASE_URL: environment.DATABASE_URL || 'postgres://127.0.0.1/',
  });
}
