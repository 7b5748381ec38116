import { openDb, pendingMigrations, type Wake } from '@notify/db';
import { createHttpClient } from '@notify/egress';
import { openWaker } from '@notify/queue';
import {
  createLog,
  createSecrets,
  loadProcessSettings,
  onShutdown,
  type Settings,
  SettingsError,
  startHealthServer,
} from '@notify/runtime';
import { every } from './every.ts';
import { runLane } from './lanes.ts';
import { maintain } from './maintenance.ts';
import { createReceiptJoiner } from './receipts.ts';
import { createSettler } from './settle.ts';
import { sweepDispatch } from './sweep.ts';

const defaultHealthPort = 3001;
const sweepMs = 2_000;
const maintenanceMs = 3_600_000;
const shutdownMs = 25_000;

/** The dispatch worker: takes turns of channel accounts in both lanes until it is told to end. */
async function run(settings: Settings): Promise<void> {
  const log = createLog(settings, 'dispatch-worker');
  const onError = (error: Error): void => log.warn({ err: error }, 'connection trouble');
  const { redisUrl, databaseUrl, databaseConnections, queuePartitions, publicUrl, receiptWaitMs } = settings;
  const queue = { redisUrl, databaseUrl, partitions: queuePartitions, onError };
  const db = openDb(databaseUrl, {
    maxConnections: databaseConnections,
    applicationName: 'notify-dispatch-worker',
    onIdleError: onError,
  });
  const waker = openWaker(queue);
  const http = createHttpClient({
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    userAgent: 'Notify',
  });
  const secrets = createSecrets(settings.masterKeys);
  const wakeWebhooks = (webhooks: readonly Wake[]): void => {
    if (webhooks.length === 0) return;
    const left = (error: unknown): void => log.warn({ err: error }, 'wake left to the sweeper');
    waker.wakeMany('webhooks', webhooks).catch(left);
  };
  const receipts = createReceiptJoiner(db, wakeWebhooks, log);
  const settle = createSettler({ db, log, wakeWebhooks, joinReceiptsIn: receipts.joinIn });
  const shared = {
    db,
    log,
    secrets,
    http,
    settle,
    wakeWebhooks,
    publicUrl,
    receiptWaitMs,
    queue,
    limits: settings,
  };
  const turns = [runLane('fast', shared), runLane('slow', shared)];
  const periodic = [
    every(sweepMs, () => sweepDispatch({ db, waker, log, wakeWebhooks }), log),
    every(maintenanceMs, () => maintain({ db, log, ...settings }), log),
  ];
  const health = await startHealthServer({
    host: settings.host,
    port: settings.healthPort ?? defaultHealthPort,
    checks: { postgres: () => demandMigrated(db), queue: () => waker.ping() },
    required: ['postgres', 'queue'],
  });
  log.info({ healthPort: health.port }, 'taking turns');

  onShutdown(log, shutdownMs, async () => {
    await Promise.all([...periodic, ...turns].map((running) => running.close()));
    receipts.close();
    await Promise.all([health.close(), waker.close(), http.close()]);
    await db.destroy();
  });
}

async function demandMigrated(db: Parameters<typeof pendingMigrations>[0]): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
}

try {
  await run(await loadProcessSettings());
} catch (error) {
  const text =
    error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`dispatch-worker: ${text}\n`);
  process.exit(1);
}
