import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartSettings } from './config.ts';
import { type ProcessName, processNames } from '@notify/core';
import type { HealthPlaces } from './health-ports.ts';
import type { ProcessPlan } from './one-process.ts';

/** The processes of an installation. */
export interface Plans {
  readonly api: ProcessPlan;
  readonly workers: readonly ProcessPlan[];
}

/** How to run the api and each worker that is installed. `extra` are settings beside those of the environment. */
export function planProcesses(
  settings: StartSettings & { readonly databaseUrl: string },
  { host: healthHost, ports: healthPorts }: HealthPlaces,
  extra: NodeJS.ProcessEnv,
): Plans {
  const own = {
    DATABASE_URL: settings.databaseUrl,
    PORT: String(settings.port),
    HEALTH_HOST: healthHost,
    // No other api could take over.
    DRAIN_SECONDS: '0',
  };
  const plan = (name: ProcessName, host: string, port: number): ProcessPlan => ({
    name,
    main: mainOf(name),
    env: { ...settings.environment, ...extra, ...own, HEALTH_PORT: String(healthPorts[name]) },
    readyUrl: `http://${reachable(host)}:${port}/readyz`,
  });
  // whatsapp-sessions has another licence than the rest, so some installations come without it.
  const workers = processNames.filter((name) => name !== 'api' && existsSync(mainOf(name)));
  return {
    api: plan('api', settings.host, settings.port),
    workers: workers.map((name) => plan(name, healthHost, healthPorts[name])),
  };
}

/** The address to call if the one listened on means "all". IPv6 addresses get their brackets. */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The main file of an app, with this file's extension. */
function mainOf(app: string): string {
  const main = `../../${app}/src/main${path.extname(import.meta.url)}`;
  return fileURLToPath(new URL(main, import.meta.url));
}
