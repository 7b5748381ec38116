import { fileURLToPath } from 'node:url';
import { openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { claimPort, embeddedDatabase, freePort } from '@notify/embedded';
import { prepareQueue } from '@notify/queue';
import { shutdownMs } from '@notify/runtime';
import { checkSettings, type StartSettings } from './config.ts';
import { publishConnection } from './connection.ts';
import { openDataFolder } from './data-folder.ts';
import { type KeptProcess, keepRunning, type ProcessPlan } from './keep-running.ts';
import { readableLine } from './log-line.ts';
import { followPeers, type PeerSettings, peerSettings } from './peers.ts';

/** Undoes one step of the start. */
export type Undo = () => Promise<void>;

export interface Started {
  /** The api's URL. */
  readonly url: string;
}

/**
 * How long a process may take to end before it is killed, in ms. A process that does not hang ends within `shutdownMs`.
 */
const graceMs = shutdownMs + 500;

/**
 * Starts everything in the order of dependencies, and resolves when a message would go through. Each step pushes its
 * reversal onto `undo`, so a failed or interrupted start can be reversed, last step first.
 */
export async function startAll(
  settings: StartSettings,
  undo: Undo[],
  interrupted: AbortSignal,
  say: (line: string) => void,
): Promise<Started> {
  const { dataDir, host, redisUrl } = settings;
  const folder = await openDataFolder(dataDir);
  undo.push(() => folder.release());
  const port = await claimPort(host, settings.port);
  await checkSettings(settings.environment);

  const databaseUrl = settings.databaseUrl ?? (await startDatabase(dataDir, undo, say));
  interrupted.throwIfAborted();
  await prepareDatabase(databaseUrl, redisUrl, say);
  interrupted.throwIfAborted();
  const connection = { REDIS_URL: redisUrl ?? '', QUEUE_PARTITIONS: String(settings.queuePartitions) };
  undo.push(await publishConnection(dataDir, { DATABASE_URL: databaseUrl, ...connection }));

  say('starting the api and the workers');
  const url = `http://${reachable(host)}:${port}`;
  const planned = (peers: PeerSettings) =>
    plans({ ...settings, port, databaseUrl }, peers === null ? {} : { PUBLIC_URL: url, ...peers });
  await startProcesses(planned, { dataDir, url }, undo, interrupted, say);
  return { url };
}

async function startDatabase(dataDir: string, undo: Undo[], say: (line: string) => void): Promise<string> {
  say(`starting Postgres in ${dataDir}`);
  const database = await embeddedDatabase(dataDir, say);
  undo.push(() => database.stop());
  return database.url;
}

async function prepareDatabase(
  databaseUrl: string,
  redisUrl: string | null,
  say: (line: string) => void,
): Promise<void> {
  const db = openDb(databaseUrl);
  try {
    const applied = await migrate(db);
    if (applied.length > 0) say(`applied ${applied.length} migrations`);
    await prepareQueue({ databaseUrl, redisUrl });
  } finally {
    await db.destroy();
  }
}

/** Starts the processes. Whenever `npm run peers` starts or ends, restarts them with or without its settings. */
async function startProcesses(
  planned: (peers: PeerSettings) => Promise<ProcessPlan[]>,
  { dataDir, url }: { readonly dataDir: string; readonly url: string },
  undo: Undo[],
  interrupted: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const onLine = (name: string, line: string): void => say(readableLine(name, line));
  const run = async (peers: PeerSettings): Promise<KeptProcess[]> =>
    (await planned(peers)).map((plan) => keepRunning(plan, { say, onLine, interrupted }));
  const stop = () => Promise.all(kept.map((process) => process.stop(graceMs)));
  const ready = () => Promise.all(kept.map((process) => process.ready));

  const peers = await peerSettings(dataDir);
  let kept = await run(peers);
  let following: Promise<void> = Promise.resolve();
  undo.push(async () => {
    await following;
    await stop();
  });
  await ready();
  following = followPeers(dataDir, peers, interrupted, async (found) => {
    say(found === null ? 'npm run peers has ended: restarting without it' : 'restarting with npm run peers');
    await stop();
    kept = await run(found);
    await ready().then(
      () => say(`ready ${url}`),
      (error: unknown) => say(String(error)),
    );
  });
}

async function plans(
  settings: StartSettings & { databaseUrl: string },
  peers: NodeJS.ProcessEnv,
): Promise<ProcessPlan[]> {
  const own = { DATABASE_URL: settings.databaseUrl, PORT: String(settings.port) };
  const env = { ...settings.environment, ...peers, ...own };
  const worker = async (name: string): Promise<ProcessPlan> => {
    const port = await freePort();
    const workerEnv = { ...env, HOST: '127.0.0.1', HEALTH_PORT: String(port) };
    return { name, main: mainOf(name), env: workerEnv, readyUrl: `http://127.0.0.1:${port}/readyz` };
  };
  const api = {
    name: 'api',
    main: mainOf('api'),
    env,
    readyUrl: `http://${reachable(settings.host)}:${settings.port}/readyz`,
  };
  const workers = ['dispatch-worker', 'webhook-worker', 'whatsapp-sessions'];
  return [api, ...(await Promise.all(workers.map(worker)))];
}

function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../${app}/src/main.ts`, import.meta.url));
}

/** The address to call if the one listened on means "all". */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
