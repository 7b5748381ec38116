import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { loadOnly, loadProcessSettings, type Settings, SettingsError } from '@notify/runtime';

/** `npm start`, for people at a terminal, or `notify all`, for programs. */
export type Style = 'terminal' | 'program';

/** The settings of `npm start` or `notify all` itself, and the environment of its processes. */
export interface StartSettings {
  readonly style: Style;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The first of the health ports. Null or 0: any free ports. */
  readonly healthPort: number | null;
  readonly healthHost: string | null;
  readonly dataDir: string;
  /** The data folder is new and is removed at the end. */
  readonly temporary: boolean;
  /** Null means the embedded Postgres. */
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly queuePartitions: number;
  readonly logLevel: Settings['logLevel'];
  readonly environment: NodeJS.ProcessEnv;
  /** The first port of the inspectors of `npm run dev`; 0: any free ports. Null without it. */
  readonly inspectPort: number | null;
  /** Whether npm runs this process, which should end with npm. */
  readonly underNpm: boolean;
}

/** What npm calls the commands that stay in the foreground: `npm start`, `npm run dev`, `npm run notify`, `npx` (and `npm exec`). */
const foreground = ['start', 'dev', 'notify', 'npx'];

/**
 * Reads the settings; the first word is `all` for `notify all`, `dev` for `npm run dev`. The mode is development unless NOTIFY_MODE says otherwise. `notify all` uses a temporary data folder
 * unless DATA_DIR is set. Throws a SettingsError.
 */
export function startSettings(
  args: readonly string[] = process.argv.slice(2),
  env: NodeJS.ProcessEnv = process.env,
): StartSettings {
  const style = args[0] === 'all' ? 'program' : 'terminal';
  const temporary = style === 'program' && !env.DATA_DIR;
  const environment = {
    ...env,
    NOTIFY_MODE: env.NOTIFY_MODE || 'development',
    ...(temporary ? { DATA_DIR: path.join(tmpdir(), `notify-${randomUUID()}`) } : {}),
  };
  if (temporary && environment.NOTIFY_MODE === 'production' && !env.DATABASE_URL)
    throw new SettingsError([
      'DATABASE_URL is not set; in production, notify all does not use a temporary database',
    ]);
  return {
    ...loadOnly(environment, [
      'host',
      'port',
      'healthHost',
      'healthPort',
      'dataDir',
      'redisUrl',
      'queuePartitions',
      'logLevel',
    ]),
    style,
    temporary,
    databaseUrl: env.DATABASE_URL ? loadOnly(environment, ['databaseUrl']).databaseUrl : null,
    environment,
    inspectPort: inspectPortOf(args),
    underNpm: foreground.includes(env.npm_lifecycle_event ?? ''),
  };
}

function inspectPortOf([command, ...args]: readonly string[]): number | null {
  if (command !== 'dev') return null;
  const options = { 'inspect-port': { type: 'string', default: '9229' } } as const;
  return Number(parseArgs({ args, options }).values['inspect-port']);
}

/**
 * Checks every other setting before anything is started, so that one error lists all faults. In development the first
 * start also creates the secrets.
 */
export async function checkSettings(environment: NodeJS.ProcessEnv): Promise<Settings> {
  return loadProcessSettings({
    ...environment,
    DATABASE_URL: environment.DATABASE_URL || 'postgres://127.0.0.1/',
  });
}
