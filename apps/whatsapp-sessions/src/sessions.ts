import { randomUUID } from 'node:crypto';
import { type Db, openDb } from '@notify/db/connection';
import { withSweepLock } from '@notify/db/maintenance';
import { devicesToLookAt, dropOldSent } from '@notify/db/whatsapp';
import {
  createGroupWaker,
  createIntake,
  createMessageSettler,
  createReceipts,
  createWebhookWaker,
  openFileBucket,
  type Receipts,
  spoolDirOf,
  type WakeWebhooks,
} from '@notify/dispatch';
import { createHttpClient, createMediaClient, type HttpClient } from '@notify/egress';
import { createSchemaCheck, observe } from '@notify/operations';
import { openWaker, type Waker } from '@notify/queue';
import { createSecrets, every, type Log, type Settings } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { mendLibrary } from './connection/library.ts';
import { Device } from './devices/device.ts';
import { createDeviceTurns } from './devices/device-turns.ts';
import { startFileRelay } from './files/relay.ts';
import { Holdings, type HoldingsOptions } from './holdings.ts';
import { createInboundWriter } from './inbound/writer.ts';
import { Leases } from './leases.ts';
import { createReceiptWriter } from './sending/receipts.ts';
import { startTellRelay } from './telling/relay.ts';
import { openDeviceTurns } from './turns.ts';

/** The interval of the look at all link requests, which finds lost wakes, and of the check of all devices, in ms. */
const lookEveryMs = 5_000;
const dropEveryMs = 3_600_000;

export interface WhatsappSessions {
  /** The port of `/healthz` and `/readyz`. */
  readonly healthPort: number | null;
  /** Hands every device over and closes every connection. */
  close(): Promise<void>;
}

/** Starts sharing the linked devices with the other processes. File servers see `version`. */
export async function startWhatsappSessions(
  settings: Settings,
  log: Log,
  version: string,
): Promise<WhatsappSessions> {
  mendLibrary(settings.whatsappWebRootKey);
  const onError = (error: Error): void => log.tell('connection-trouble', { err: error });
  const { redisUrl, databaseUrl, databaseSessionUrl, queuePartitions, whatsappPartitions } = settings;
  const stores = { redisUrl, databaseUrl, databaseSessionUrl };
  const queue = { ...stores, partitions: queuePartitions, whatsappPartitions, onError };
  const pool = { applicationName: 'notify-whatsapp-sessions', onIdleError: onError };
  const db = openDb(settings, {
    ...pool,
    maxConnections: settings.databaseConnections,
    queryTimeoutMs: 30_000,
  });
  // A separate pool, so that other queries cannot delay the renewal of leases.
  const leaseDb = openDb(settings, {
    ...pool,
    maxConnections: 2,
    connectTimeoutMs: 2_000,
    queryTimeoutMs: 3_000,
  });
  const waker = openWaker({ ...queue, onMoved: (masters) => log.tell('redis-moved', { masters }) });
  const egress = {
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    proxy: settings.egressProxy,
    userAgent: `Notify/${version}`,
  };
  const http = createHttpClient(egress);
  const media = createMediaClient({
    ...egress,
    spoolDir: spoolDirOf(settings),
  });
  const objects = openFileBucket(settings, log, version);
  let work: Work | null = null;
  const observed = await observe({
    name: 'whatsapp-sessions',
    version,
    settings,
    log,
    checks: {
      postgres: createSchemaCheck(db, log),
      queue: () => waker.ping(),
      turns: async () => work?.demandTaking(),
      partitions: async () => work?.demandPartitions(),
    },
    required: ['postgres', 'queue', 'turns'],
  });
  work = startWork({ settings, log, queue, db, leaseDb, waker, media, objects, http });
  return {
    healthPort: observed.healthPort,
    async close() {
      await work?.close();
      await Promise.all([observed.close(), waker.close(), media.close(), objects?.close(), http.close()]);
      await Promise.all([db.destroy(), leaseDb.destroy()]);
    },
  };
}

interface Connections {
  readonly settings: Settings;
  readonly log: Log;
  readonly queue: Parameters<typeof openWaker>[0];
  readonly db: Db;
  readonly leaseDb: Db;
  readonly waker: Waker;
  readonly media: ReturnType<typeof createMediaClient>;
  readonly objects: ReturnType<typeof openFileBucket>;
  readonly http: HttpClient;
}

interface Work {
  /** Throws if this process can get no partition, and so no device. */
  demandPartitions(): void;
  /** Throws if the queue answers the turns of a held partition no more. */
  demandTaking(): void;
  close(): Promise<void>;
}

/** The leases, the devices and their turns. */
function startWork(connections: Connections): Work {
  const { log, db, leaseDb, waker } = connections;
  const partitions = connections.settings.whatsappPartitions;
  const wakeWebhooks = createWebhookWaker(waker, log);
  const wakeGroups = createGroupWaker(waker, log);
  const receipts = createReceipts({ db, log, wakeWebhooks, wakeGroups });
  const secrets = createSecrets(connections.settings.masterKeys);
  const settle = createMessageSettler({ db, log, wakeWebhooks, wakeGroups, receipts });
  const deviceOf = (accountId: string): Device | null => holdings.deviceOf(accountId);
  const turns = openDeviceTurns({ ...connections, secrets, settle, wakeWebhooks, wakeGroups, deviceOf });
  const createHeldDevice = deviceFactory({ ...connections, receipts, wakeWebhooks }, () => leases);
  const holdings = new Holdings({ db, log, turns, partitions, createDevice: createHeldDevice });
  const shown = metrics.deviceStates.map((state) =>
    metrics.devices.byState.read({ state }, () => holdings.count(state)),
  );
  const owner = randomUUID();
  const leases = new Leases({
    db: leaseDb,
    log,
    owner,
    count: partitions,
    onTaken: (lease) => holdings.take(lease),
    onGiven: (lease) => holdings.give(lease),
    onLost: (lease) => holdings.lose(lease),
  });
  const { http, settings } = connections;
  const files = startFileRelay({
    db,
    log,
    secrets,
    holder: owner,
    http,
    mediaUrl: settings.whatsappMediaUrl,
  });
  const tells = startTellRelay({ db, log, holder: owner, deviceOf });
  const periodic = [
    every('look-for-devices', lookEveryMs, async () => holdings.look(await devicesToLookAt(db)), log),
    every('tend-devices', lookEveryMs, () => holdings.tend(), log),
    every(
      'drop-old-sent-messages',
      dropEveryMs,
      async () => void (await withSweepLock(db, 'whatsapp-sent', async () => void (await dropOldSent(db)))),
      log,
    ),
  ];
  return {
    demandPartitions: () => leases.demandUse(),
    demandTaking: () => turns.demandTaking(),
    async close() {
      await Promise.all([leases.close(), files.close(), tells.close()]);
      await Promise.all(periodic.map((one) => one.close()));
      await turns.close();
      receipts.close();
      for (const end of shown) end();
    },
  };
}

function deviceFactory(
  {
    settings,
    log,
    db,
    waker,
    receipts,
    wakeWebhooks,
  }: Connections & { readonly receipts: Receipts; readonly wakeWebhooks: WakeWebhooks },
  leases: () => Leases,
): HoldingsOptions['createDevice'] {
  const secrets = createSecrets(settings.masterKeys);
  const deps = {
    db,
    log,
    secrets,
    url: settings.whatsappWebUrl,
    version: settings.whatsappWebVersion,
    keepAliveMs: settings.whatsappKeepAliveMs,
    ackMs: settings.whatsappAckMs,
    random: Math.random,
    ...createDeviceTurns(),
    onConnected: (id: string) => {
      waker
        .wake('dispatch', 'whatsapp-web', id)
        .catch((error: unknown) => log.tell('wake-left', { err: error, accountId: id }));
    },
    onReceipts: createReceiptWriter(db, log, receipts),
    onMessage: createInboundWriter({ db, log, secrets, intake: createIntake({ db, log, wakeWebhooks }) }),
    onLost: (lease: Parameters<Leases['lose']>[0]) => leases().lose(lease),
  };
  return (accountId, lease) => new Device(accountId, lease, deps);
}
