import { rm } from 'node:fs/promises';
import { openDb } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { claimPort, embeddedDatabase } from '@notify/embedded';
import { prepareQueue } from '@notify/queue';
import type { Settings } from '@notify/runtime';
import { checkSettings, type StartSettings } from './config.ts';
import { publishConnection } from './connection.ts';
import { openDataFolder } from './data-folder.ts';
import { claimInspectPorts } from './dev/inspect-ports.ts';
import { keepFresh } from './dev/keep-fresh.ts';
import { claimHealthPorts } from './health-ports.ts';
import { keepRunning } from './keep-running.ts';
import type { KeptProcess, ProcessPlan, Watch } from './one-process.ts';
import type { Output } from './output.ts';
import { followPeers, type PeerSettings, peerSettings } from './peers.ts';
import { planProcesses, type Plans, reachable } from './plans.ts';
import { seed } from './seed.ts';

/** Undoes one step of the start. */
export type Undo = () => Promise<void>;

/** A started installation, in which a message would go through. */
export interface Started {
  /** The api's URL. */
  readonly url: string;
}

/**
 * Starts everything in the order of dependencies, and resolves when a message would go through. Each step pushes its
 * reversal onto `undo`, so a failed or interrupted start can be reversed, last step first.
 */
export async function startAll(
  settings: StartSettings,
  undo: Undo[],
  interrupted: AbortSignal,
  output: Output,
): Promise<Started> {
  const { dataDir, host, redisUrl } = settings;
  if (settings.temporary) undo.push(() => rm(dataDir, { recursive: true, force: true }));
  const folder = await openDataFolder(dataDir);
  undo.push(() => folder.release());
  const port = await claimPort(host, settings.port);
  const checked = await checkSettings(settings.environment);
  const health = await claimHealthPorts(settings, port);
  const watch = { output, interrupted };
  const keep = await keeperFor(settings, watch);

  const databaseUrl = settings.databaseUrl ?? (await startDatabase(settings, undo, output));
  interrupted.throwIfAborted();
  await prepareDatabase({ ...checked, databaseUrl }, output);
  interrupted.throwIfAborted();
  const queue = { REDIS_URL: redisUrl ?? '', QUEUE_PARTITIONS: String(settings.queuePartitions) };
  undo.push(await publishConnection(dataDir, { DATABASE_URL: databaseUrl, ...queue, PORT: String(port) }));

  output.say('starting the api and the workers');
  const url = `http://${reachable(host)}:${port}`;
  const planned = (peers: PeerSettings) =>
    planProcesses(
      { ...settings, port, databaseUrl },
      health,
      peers === null ? {} : { PUBLIC_URL: url, ...peers },
    );
  await startProcesses(planned, keep, { ...settings, url }, undo, watch);
  return { url };
}

async function startDatabase(
  { dataDir, temporary }: StartSettings,
  undo: Undo[],
  { say }: Output,
): Promise<string> {
  say(`starting Postgres in ${dataDir}`);
  const database = await embeddedDatabase(dataDir, say, { durable: !temporary });
  undo.push(() => database.stop());
  return database.url;
}

async function prepareDatabase(settings: Settings, { say }: Output): Promise<void> {
  const db = openDb(settings.databaseSessionUrl ?? settings.databaseUrl);
  try {
    say('migrating the database');
    const applied = await migrate(db);
    if (applied.length > 0) say(`applied ${applied.length} migrations`);
    await prepareQueue(settings);
    const seeded = await seed(db, settings);
    if (seeded !== null) say(seeded);
  } finally {
    await db.destroy();
  }
}

type Keep = (plan: ProcessPlan) => KeptProcess;

/** How the processes are kept: as in production, or with restarts at a save and an inspector each. */
async function keeperFor({ inspectPort }: StartSettings, watch: Watch): Promise<Keep> {
  if (inspectPort === null) return (plan) => keepRunning(plan, watch);
  const ports = await claimInspectPorts(inspectPort);
  return (plan) => keepFresh(plan, watch, ports[plan.name]);
}

/**
 * Starts the processes. For programs, which ask the api whether everything is ready, the api starts when the workers are
 * ready. Whenever `npm run peers` starts or ends, restarts them with or without its settings.
 */
async function startProcesses(
  planned: (peers: PeerSettings) => Plans,
  keep: Keep,
  { dataDir, style, url }: Pick<StartSettings, 'dataDir' | 'style'> & { readonly url: string },
  undo: Undo[],
  { output, interrupted }: Watch,
): Promise<void> {
  let kept: KeptProcess[] = [];
  const stop = () => Promise.all(kept.map((process) => process.stop()));
  const start = async (peers: PeerSettings): Promise<void> => {
    const { api, workers } = planned(peers);
    kept = [];
    for (const plans of style === 'program' ? [workers, [api]] : [[api, ...workers]]) {
      const started = plans.map(keep);
      kept.push(...started);
      await Promise.all(started.map((process) => process.ready));
    }
  };

  const peers = await peerSettings(dataDir);
  let following: Promise<void> = Promise.resolve();
  undo.push(async () => {
    await following;
    await stop();
  });
  await start(peers);
  following = followPeers(dataDir, peers, interrupted, async (found) => {
    output.say(
      found === null ? 'npm run peers has ended: restarting without it' : 'restarting with npm run peers',
    );
    await stop();
    await start(found).then(
      () => output.ready(url),
      (error: unknown) => output.say(String(error)),
    );
  });
}
