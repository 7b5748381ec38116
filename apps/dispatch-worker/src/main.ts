import { adapters } from '@notify/channels';
import { type NextDue, nextDue, openDb, pendingMigrations, type Wake } from '@notify/db';
import { createHttpClient } from '@notify/egress';
import { type Lane, openWaker, type RunningTurns, runTurns } from '@notify/queue';
import {
  createAllowance,
  createBatcher,
  createLog,
  createSecrets,
  loadProcessSettings,
  onShutdown,
  SettingsError,
  startHealthServer,
} from '@notify/runtime';
import { every } from './every.ts';
import { maintain } from './maintenance.ts';
import { createReceiptJoiner } from './receipts.ts';
import { createSettler } from './settle.ts';
import { sweepDispatch } from './sweep.ts';
import { dispatchTurn } from './turn.ts';

const defaultHealthPort = 3001;
const sweepMs = 2_000;
const maintenanceMs = 3_600_000;
const shutdownMs = 25_000;

/** The dispatch worker: takes turns of channel accounts in both lanes until it is told to end. */
async function main(): Promise<void> {
  const settings = await loadProcessSettings();
  const log = createLog(settings, 'dispatch-worker');
  const onError = (error: Error): void => log.warn({ err: error }, 'connection trouble');
  const db = openDb(settings.databaseUrl, {
    maxConnections: settings.databaseConnections,
    applicationName: 'notify-dispatch-worker',
    onIdleError: onError,
  });
  const queue = {
    redisUrl: settings.redisUrl,
    databaseUrl: settings.databaseUrl,
    partitions: settings.queuePartitions,
  };
  const waker = openWaker({ ...queue, onError });
  const http = createHttpClient({
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    userAgent: 'Notify',
  });
  const wakeWebhooks = (webhooks: readonly Wake[]): void => {
    if (webhooks.length === 0) return;
    waker
      .wakeMany('webhooks', webhooks)
      .catch((error: unknown) => log.warn({ err: error }, 'wake left to the sweeper'));
  };
  const receipts = createReceiptJoiner(db, wakeWebhooks, log);
  const settle = createSettler({ db, log, wakeWebhooks, joinReceiptsIn: receipts.joinIn });
  const dueLookup = createBatcher<string, NextDue | null>({
    maxItems: 200,
    run: async (ids) => {
      const found = new Map((await nextDue(db, ids)).map((next) => [next.accountId, next]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });

  const lanes = (['fast', 'slow'] as const).map((lane) => openLane(lane));
  function openLane(lane: Lane): RunningTurns {
    const calls = createAllowance(settings.maxCallsInFlight);
    const deps = {
      db,
      log,
      secrets: createSecrets(settings.masterKeys),
      http,
      adapters,
      lane,
      calls,
      settle,
      wakeWebhooks,
      othersWait: () => running.saturated || calls.waiting > 0,
      receiptWaitMs: settings.receiptWaitMs,
      publicUrl: settings.publicUrl,
      random: Math.random,
    };
    const running = runTurns({
      ...queue,
      kind: 'dispatch',
      lane,
      slots: settings.turnSlots,
      turn: (id, { signal }) => dispatchTurn(id, deps, signal),
      nextDueMs: (id) => dueLookup.add(id),
      onError,
      log,
    });
    return running;
  }

  const sweeper = every(sweepMs, () => sweepDispatch({ db, waker, log, wakeWebhooks }), log);
  const maintenance = every(maintenanceMs, () => maintain({ db, log, ...settings }), log);
  const health = await startHealthServer({
    host: settings.host,
    port: settings.healthPort ?? defaultHealthPort,
    checks: {
      postgres: async () => {
        const pending = await pendingMigrations(db);
        if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
      },
      queue: () => waker.ping(),
    },
    required: ['postgres', 'queue'],
  });
  log.info({ healthPort: health.port }, 'taking turns');

  onShutdown(log, shutdownMs, async () => {
    await Promise.all([sweeper.stop(), maintenance.stop(), ...lanes.map((lane) => lane.close())]);
    receipts.close();
    await Promise.all([health.close(), waker.close(), http.close()]);
    await db.destroy();
  });
}

main().catch((error: unknown) => {
  const text =
    error instanceof SettingsError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`dispatch-worker: ${text}\n`);
  process.exit(1);
});
