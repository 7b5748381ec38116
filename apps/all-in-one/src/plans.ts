import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@notify/embedded';
import type { StartSettings } from './config.ts';
import type { ProcessPlan } from './keep-running.ts';

/** The processes of an installation. */
export interface Plans {
  readonly api: ProcessPlan;
  readonly workers: readonly ProcessPlan[];
}

const workerNames = ['dispatch-worker', 'webhook-worker', 'whatsapp-sessions'];

/** How to run the api and each worker that is installed. `extra` are settings beside those of the environment. */
export async function planProcesses(
  settings: StartSettings & { readonly databaseUrl: string },
  extra: NodeJS.ProcessEnv,
): Promise<Plans> {
  const own = { DATABASE_URL: settings.databaseUrl, PORT: String(settings.port) };
  const env = { ...settings.environment, ...extra, ...own };
  const worker = async (name: string): Promise<ProcessPlan> => {
    const port = await freePort();
    const workerEnv = { ...env, HOST: '127.0.0.1', HEALTH_PORT: String(port) };
    return { name, main: mainOf(name), env: workerEnv, readyUrl: `http://127.0.0.1:${port}/readyz` };
  };
  const readyUrl = `http://${reachable(settings.host)}:${settings.port}/readyz`;
  // whatsapp-sessions has another licence than the rest, so some installations come without it.
  const installed = workerNames.filter((name) => existsSync(mainOf(name)));
  return {
    api: { name: 'api', main: mainOf('api'), env, readyUrl },
    workers: await Promise.all(installed.map(worker)),
  };
}

/** The address to call if the one listened on means "all". */
export function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The main file of an app, with this file's extension. */
function mainOf(app: string): string {
  const main = `../../${app}/src/main${path.extname(import.meta.url)}`;
  return fileURLToPath(new URL(main, import.meta.url));
}
