import { setTimeout as wait } from 'node:timers/promises';
import {
  type Adapter,
  adapters as installed,
  openProviderHttp,
  type ProviderHttp,
  providerUrlsFault,
} from '@notify/channels';
import { type Db, openDb } from '@notify/db/connection';
import { sweepUploads } from '@notify/db/uploads';
import { rollUpUsage } from '@notify/db/usage';
import {
  createGroupWaker,
  createMessageSettler,
  createReceipts,
  createWebhookWaker,
  openFileBucket,
  spoolDirOf,
} from '@notify/dispatch';
import { createMediaClient, type MediaClient, type ObjectStore } from '@notify/egress';
import { createSchemaCheck, observe } from '@notify/operations';
import { openWaker, type Waker } from '@notify/queue';
import { createSecrets, every, type Log, queueSettings, type Settings, SettingsError } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { openDispatchLane, openGroupsLane } from './lanes.ts';
import { maintain } from './maintenance.ts';
import { sweepBucket } from './sweep-bucket.ts';
import { openOverdueWakes, sweepDispatch } from './sweep.ts';
import { startTemplateSync } from './template-sync.ts';
import { sourceSlots, startUpdates } from './updates/updates.ts';

const sweepMs = 2_000;
const maintenanceMs = 3_600_000;
const filesMs = 60_000;
/** The age of the usage figures, in ms, or a little more. */
const rollUpMs = 5_000;
/** How long running maintenance may continue when the process ends, in ms. */
const maintenanceEndMs = 1_000;

export interface DispatchWorker {
  /** The port of `/healthz` and `/readyz`. */
  readonly healthPort: number | null;
  /**
   * Takes no more turns, waits for the calls in flight and their settlement, and closes every connection. Aborts calls
   * that take longer than 7 s.
   */
  close(): Promise<void>;
}

/**
 * Starts taking turns of channel accounts in both lanes. Gateways and file servers see `version`. Tests may pass
 * adapters other than the installed ones. Rejects when a setting names something that does not exist.
 */
export async function startDispatchWorker(
  settings: Settings,
  log: Log,
  version: string,
  adapters: ReadonlyMap<string, Adapter> = installed,
): Promise<DispatchWorker> {
  const fault = providerUrlsFault(settings.providerUrls, adapters);
  if (fault !== null) throw new SettingsError([fault]);
  const onError = (error: Error): void => log.tell('connection-trouble', { err: error });
  const queue = { ...queueSettings(settings), onError };
  const pool = { applicationName: 'notify-dispatch-worker', onIdleError: onError };
  const db = openDb(settings, {
    ...pool,
    maxConnections: settings.databaseConnections,
    queryTimeoutMs: 30_000,
    hot: true,
  });
  // One connection holds the maintenance lock, one works, and one sees what the work waits for. Moving and dropping whole
  // partitions takes time.
  const maintenanceDb = openDb(settings, { ...pool, maxConnections: 3, queryTimeoutMs: 600_000 });
  // Counting the rows written while there was no worker takes time, too.
  const usageDb = openDb(settings, { ...pool, maxConnections: 1, queryTimeoutMs: 600_000 });
  const waker = openWaker({ ...queue, onMoved: (masters) => log.tell('redis-moved', { masters }) });
  const egress = {
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    proxy: settings.egressProxy,
    userAgent: `Notify/${version}`,
  };
  const connectionsPerOrigin = 2 * settings.maxCallsInFlight;
  const http = openProviderHttp({ ...egress, connectionsPerOrigin }, settings.providerUrls);
  const updatesHttp = openProviderHttp(
    { ...egress, connectionsPerOrigin: sourceSlots },
    settings.providerUrls,
  );
  const media = createMediaClient({ ...egress, spoolDir: spoolDirOf(settings) });
  const objects = openFileBucket(settings, log, version);
  let work: Work | null = null;
  const observed = await observe({
    name: 'dispatch-worker',
    version,
    settings,
    log,
    checks: {
      postgres: createSchemaCheck(db, log),
      queue: () => waker.ping(),
      turns: async () => work?.demandTaking(),
    },
    required: ['postgres', 'queue', 'turns'],
  });
  work = startWork({
    settings,
    log,
    queue,
    db,
    maintenanceDb,
    usageDb,
    waker,
    http,
    updatesHttp,
    media,
    objects,
    adapters,
  });
  return {
    healthPort: observed.healthPort,
    async close() {
      await work?.close();
      await Promise.all([observed.close(), waker.close(), http.close(), updatesHttp.close(), media.close()]);
      await objects?.close();
      await Promise.all([db.destroy(), maintenanceDb.destroy(), usageDb.destroy()]);
    },
  };
}

interface Connections {
  readonly settings: Settings;
  readonly log: Log;
  readonly queue: Parameters<typeof openWaker>[0];
  readonly db: Db;
  readonly maintenanceDb: Db;
  readonly usageDb: Db;
  readonly waker: Waker;
  readonly http: ProviderHttp;
  readonly updatesHttp: ProviderHttp;
  readonly media: MediaClient;
  readonly objects: ObjectStore | null;
  readonly adapters: ReadonlyMap<string, Adapter>;
}

interface Work {
  /** Throws if the queue answers the turns of a lane no more. */
  demandTaking(): void;
  close(): Promise<void>;
}

/** The turns of both lanes and of groups, the sweeper, the templates, the updates and the maintenance. */
function startWork({ settings, maintenanceDb, usageDb, ...connections }: Connections): Work {
  const { log, db, waker } = connections;
  const wakeWebhooks = createWebhookWaker(waker, log);
  const wakeGroups = createGroupWaker(waker, log);
  const receipts = createReceipts({ db, log, wakeWebhooks, wakeGroups });
  const shared = {
    ...connections,
    wakeWebhooks,
    wakeGroups,
    secrets: createSecrets(settings.masterKeys),
    settle: createMessageSettler({ db, log, wakeWebhooks, wakeGroups, receipts }),
    publicUrl: settings.publicUrl,
    receiptWaitMs: settings.receiptWaitMs,
    providerUrls: settings.providerUrls,
    limits: settings,
  };
  const lanes = [openDispatchLane('fast', shared), openDispatchLane('slow', shared), openGroupsLane(shared)];
  const hasTurn = (id: string): boolean => lanes.some((lane) => lane.has(id));
  const wakeOverdue = openOverdueWakes(waker, log);
  const running = [
    ...lanes,
    every(
      'sweep-dispatch',
      sweepMs,
      () => sweepDispatch({ db, waker, log, wakeWebhooks, wakeGroups, receipts, wakeOverdue, hasTurn }),
      log,
    ),
    startTemplateSync(shared),
    startUpdates(shared),
  ];
  const ending = new AbortController();
  const maintenance = every(
    'maintain',
    maintenanceMs,
    () => maintain({ db: maintenanceDb, log, ...settings, ending: ending.signal }),
    log,
  );
  const files = every('sweep-files', filesMs, () => sweepFiles(maintenanceDb, settings), log);
  const { objects } = connections;
  const bucket = every('sweep-bucket', filesMs, () => sweepBucket(maintenanceDb, objects), log);
  const usage = every('count-usage', rollUpMs, () => countUsage(usageDb, ending.signal), log);
  return {
    demandTaking: () => lanes.forEach((lane) => lane.demandTaking()),
    async close() {
      ending.abort();
      // A long statement is not waited for: it is rolled back with its connection, and another process repeats it.
      const cut = wait(maintenanceEndMs, undefined, { ref: false });
      const background = Promise.all([maintenance.close(), files.close(), bucket.close(), usage.close()]);
      await Promise.all([...running.map((one) => one.close()), Promise.race([background, cut])]);
      receipts.close();
    },
  };
}

/** Uploaded files whose time is over. A file that another process sweeps is skipped. */
async function sweepFiles(db: Db, { idempotencyDays }: Pick<Settings, 'idempotencyDays'>): Promise<void> {
  const { removed, removedBytes } = await sweepUploads(db, idempotencyDays);
  metrics.files.swept.inc(removed);
  metrics.files.sweptBytes.inc(removedBytes);
}

/** Skips tables that another process has just counted. A process that ends need not finish. */
async function countUsage(db: Db, ending: AbortSignal): Promise<void> {
  try {
    await rollUpUsage(db, { ending, notWithinMs: rollUpMs - 500 });
  } catch (error) {
    if (!ending.aborted) throw error;
  }
}
