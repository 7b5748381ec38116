import { loadOnly, loadProcessSettings } from '@notify/runtime';

/** The settings of `npm start` itself, and the environment of its processes. */
export interface StartSettings {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly dataDir: string;
  /** Null means the embedded Postgres. */
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly queuePartitions: number;
  readonly environment: NodeJS.ProcessEnv;
  /** Whether npm runs this process, which should end with npm. */
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
 * Checks every other setting before anything is started, so that one error lists all faults. In development the first
 * start also creates the secrets.
 */
export async function checkSettings(environment: NodeJS.ProcessEnv): Promise<void> {
  await loadProcessSettings({
    ...environment,
    DATABASE_URL: environment.DATABASE_URL || 'postgres://127.0.0.1/',
  });
}
