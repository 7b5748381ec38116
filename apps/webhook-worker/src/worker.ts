import { type Db, type NextDelivery, nextDeliveries, openDb, pendingMigrations } from '@notify/db';
import { createHttpClient } from '@notify/egress';
import { type Lane, openWaker, type RunningTurns, runTurns } from '@notify/queue';
import {
  type Batcher,
  createAllowance,
  createBatcher,
  createSecrets,
  every,
  type Log,
  type Settings,
  startHealthServer,
} from '@notify/runtime';
import { createSettler } from './settle.ts';
import { sweepWebhooks } from './sweep.ts';
import { webhookTurn } from './turn.ts';

const defaultHealthPort = 3002;
const sweepMs = 2_000;

export interface WebhookWorker {
  /** Where `/healthz` and `/readyz` are. */
  readonly healthPort: number;
  /** Takes no more turns, waits for the posts in flight and their settlement, and closes every connection. */
  close(): Promise<void>;
}

/** Starts taking turns of webhooks in both lanes. `version` is told to receivers. */
export async function startWebhookWorker(
  settings: Settings,
  log: Log,
  version: string,
): Promise<WebhookWorker> {
  const onError = (error: Error): void => log.warn({ err: error }, 'connection trouble');
  const db = openDb(settings.databaseUrl, {
    maxConnections: settings.databaseConnections,
    applicationName: 'notify-webhook-worker',
    onIdleError: onError,
  });
  const queue = {
    redisUrl: settings.redisUrl,
    databaseUrl: settings.databaseUrl,
    partitions: settings.queuePartitions,
    onError,
  };
  const waker = openWaker(queue);
  const http = createHttpClient({
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    httpsOnly: true,
    userAgent: `Notify/${version}`,
  });
  const shared = {
    db,
    log,
    http,
    secrets: createSecrets(settings.masterKeys),
    settle: createSettler(db, log),
  };
  const nextTurns = batchNextTurns(db);

  const lanes = (['fast', 'slow'] as const).map(openLane);
  function openLane(lane: Lane): RunningTurns {
    const posts = createAllowance(settings.maxCallsInFlight);
    const othersWait = (): boolean => turns.saturated || posts.waiting > 0;
    const deps = { ...shared, lane, posts, othersWait, random: Math.random };
    const turns = runTurns({
      ...queue,
      log,
      kind: 'webhooks',
      lane,
      slots: settings.turnSlots,
      turn: (id, { signal }) => webhookTurn(id, deps, signal),
      nextDueMs: (id) => nextTurns.add(id),
    });
    return turns;
  }

  const sweeper = every(sweepMs, () => sweepWebhooks(db, waker), log);
  const health = await startHealthServer({
    host: settings.host,
    port: settings.healthPort ?? defaultHealthPort,
    checks: { postgres: () => checkDatabase(db), queue: () => waker.ping() },
    required: ['postgres', 'queue'],
  });

  return {
    healthPort: health.port,
    async close() {
      await Promise.all([sweeper.close(), ...lanes.map((turns) => turns.close())]);
      await Promise.all([health.close(), waker.close(), http.close()]);
      await db.destroy();
    },
  };
}

function batchNextTurns(db: Db): Batcher<string, NextDelivery | null> {
  return createBatcher({
    maxItems: 200,
    run: async (ids) => {
      const found = new Map((await nextDeliveries(db, ids)).map((next) => [next.webhookId, next]));
      return ids.map((id) => found.get(id) ?? null);
    },
  });
}

async function checkDatabase(db: Db): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
}
