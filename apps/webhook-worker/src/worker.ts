import { openDb } from '@notify/db/connection';
import { createHttpClient, type HttpClient } from '@notify/egress';
import { createSchemaCheck, observe } from '@notify/operations';
import { openWaker } from '@notify/queue';
import { createSecrets, every, type Log, queueSettings, type Settings } from '@notify/runtime';
import { createOverdueWakes, type LaneTurns } from '@notify/turns';
import { openWebhookLane } from './lanes.ts';
import { createDeliverySettler } from './settle.ts';
import { sweepExpired, sweepReplays, sweepWebhooks } from './sweep.ts';

const sweepMs = 2_000;
const expireMs = 60_000;
const replayMs = 1_000;

export interface WebhookWorker {
  /** The port of `/healthz` and `/readyz`. */
  readonly healthPort: number | null;
  /**
   * Takes no more turns, waits for the posts in flight and their settlement, and closes every connection. Posts that
   * take longer than 7 s are aborted and given back: another process posts them again.
   */
  close(): Promise<void>;
}

/** Starts taking turns of webhooks in both lanes. Receivers see `version`. */
export async function startWebhookWorker(
  settings: Settings,
  log: Log,
  version: string,
): Promise<WebhookWorker> {
  const onError = (error: Error): void => log.tell('connection-trouble', { err: error });
  const queue = { ...queueSettings(settings), onError };
  const db = openDb(settings, {
    maxConnections: settings.databaseConnections,
    queryTimeoutMs: 30_000,
    hot: true,
    applicationName: 'notify-webhook-worker',
    onIdleError: onError,
  });
  const waker = openWaker({ ...queue, onMoved: (masters) => log.tell('redis-moved', { masters }) });
  const http = openPosts(settings, version);
  const turns: LaneTurns[] = [];
  const observed = await observe({
    name: 'webhook-worker',
    version,
    settings,
    log,
    checks: {
      postgres: createSchemaCheck(db, log),
      queue: () => waker.ping(),
      turns: async () => turns.forEach((lane) => lane.demandTaking()),
    },
    required: ['postgres', 'queue', 'turns'],
  });
  const secrets = createSecrets(settings.masterKeys);
  const settle = createDeliverySettler(db, log);
  const shared = { db, log, http, secrets, settle, queue, limits: settings };
  turns.push(openWebhookLane('fast', shared), openWebhookLane('slow', shared));
  const wakeOverdue = createOverdueWakes({ kind: 'webhooks', waker, log });
  const sweepers = [
    every('sweep-webhooks', sweepMs, () => sweepWebhooks(db, wakeOverdue), log),
    every('sweep-replays', replayMs, () => sweepReplays(db, waker), log),
    every('expire-deliveries', expireMs, () => sweepExpired(db, log), log),
  ];

  return {
    healthPort: observed.healthPort,
    async close() {
      await Promise.all([...sweepers, ...turns].map((running) => running.close()));
      await Promise.all([observed.close(), waker.close(), http.close()]);
      await db.destroy();
    },
  };
}

function openPosts(settings: Settings, version: string): HttpClient {
  return createHttpClient({
    allowPrivate: settings.allowPrivateWebhooks,
    allow: settings.egressAllow,
    proxy: settings.egressProxy,
    httpsOnly: true,
    // As many as posts fit in both lanes, and each webhook has at most 8. So webhooks at one origin do not wait for
    // connections that other webhooks leave hanging.
    connectionsPerOrigin: 2 * settings.maxPostsInFlight,
    userAgent: `Notify/${version}`,
  });
}
