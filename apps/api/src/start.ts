import { setTimeout as delay } from 'node:timers/promises';
import { adapters, openProviderHttp, providerUrlsFault } from '@notify/channels';
import { openDb } from '@notify/db/connection';
import { openFileBucket } from '@notify/dispatch';
import { createSchemaCheck, observe } from '@notify/operations';
import { openWaker } from '@notify/queue';
import {
  createSecrets,
  healthHandlers,
  type Log,
  queueSettings,
  type Settings,
  SettingsError,
} from '@notify/runtime';
import { createApp } from './app.ts';
import { createParts, type Opened } from './parts.ts';
import { closeEventStreams } from './events/event-streams.ts';
import { openRateStore } from './http/rate-store.ts';
import { closeLinkStreams } from './links/link-streams.ts';
import { maxInAll } from './media/file-places.ts';
import { mailsSettled, tellUnsettled } from './mail/link-mails.ts';
import { type Mailer, openMailer } from './mail/mailer.ts';
import { type HttpServer, listen } from './server.ts';

/** A client learns within about a second that the database is away. */
const waitMs = 1_000;
const queryTimeoutMs = 5_000;
/** The dashboard's queries run in steps well below this. */
const dashboardTimeoutMs = 2_000;
/** How much longer than Postgres the api waits for it to end such a query. */
const answerMs = 1_000;
const dashboardConnections = 4;
/** How long the api waits at its end for links that are being made, in ms. */
const settleMailsMs = 500;

export interface Api extends HttpServer {
  /** The port of `/metrics`. Null if it was taken and none is set. */
  readonly healthPort: number | null;
}

/**
 * Opens the api's resources and listens. Rejects if the port is taken, or if a setting names something that does not
 * exist.
 */
export async function startApi(settings: Settings, log: Log, version: string): Promise<Api> {
  const fault = providerUrlsFault(settings.providerUrls, adapters);
  if (fault !== null) throw new SettingsError([fault]);
  const onError = (error: Error): void => log.tell('connection-trouble', { err: error });
  const pools = openPools(settings, onError);
  const { db } = pools;
  const waker = openWaker({
    ...queueSettings(settings),
    onError,
    onMoved: (masters) => log.tell('redis-moved', { masters }),
  });
  const rates = openRateStore(db, settings, log);
  const http = openProviderHttp(
    {
      allowPrivate: settings.allowPrivateWebhooks,
      allow: settings.egressAllow,
      proxy: settings.egressProxy,
      userAgent: `Notify/${version}`,
      // Files that many clients read slowly must not hold up the questions to the same provider.
      connectionsPerOrigin: maxInAll + 16,
    },
    settings.providerUrls,
  );
  const secrets = createSecrets(settings.masterKeys);
  const mailer = mailerOf(settings, log);
  const objects = openFileBucket(settings, log, version);
  const opened = { ...pools, settings, secrets, waker, http, adapters, objects, log, rates, mailer };
  const parts = await createParts(opened);
  const ending = new AbortController();
  const health = {
    checks: { postgres: createSchemaCheck(db, log), queue: () => waker.ping() },
    required: ['postgres'],
    ending: ending.signal,
  };
  const observed = await observe({ ...health, name: 'api', version, settings, log });
  const app = createApp(parts, healthHandlers(health));
  const server = await listen(app, settings.host, settings.port).catch(async (error: unknown) => {
    await observed.close();
    throw error;
  });
  return {
    port: server.port,
    healthPort: observed.healthPort,
    async close() {
      ending.abort();
      await delay(settings.drainMs);
      closeLinkStreams(parts.linkStreams);
      closeEventStreams(parts.eventStreams);
      await server.close();
      await observed.close();
      // A database that is away must not hold up the end.
      await Promise.race([mailsSettled(parts.linkMails), delay(settleMailsMs, undefined, { ref: false })]);
      tellUnsettled(parts.linkMails);
      await mailer?.close();
      rates.close();
      await Promise.all([waker.close(), http.close(), objects?.close()]);
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.destroy()));
    },
  };
}

function mailerOf({ smtpUrl, mailFrom }: Settings, log: Log): Mailer | null {
  return smtpUrl === null || mailFrom === null ? null : openMailer({ url: smtpUrl, from: mailFrom, log });
}

function openPools(
  settings: Settings,
  onIdleError: (error: Error) => void,
): Pick<Opened, 'db' | 'dashboardDb' | 'listDb'> {
  const db = openDb(settings, {
    maxConnections: settings.databaseConnections,
    waitMs,
    queryTimeoutMs,
    hot: true,
    onIdleError,
    applicationName: 'notify-api',
  });
  const forPeople = {
    maxConnections: dashboardConnections,
    connectTimeoutMs: 2 * dashboardTimeoutMs,
    queryTimeoutMs: dashboardTimeoutMs + answerMs,
    statementTimeoutMs: dashboardTimeoutMs,
    onIdleError,
  };
  const dashboardDb = openDb(settings, { ...forPeople, applicationName: 'notify-dashboard' });
  const listDb =
    settings.databaseReadUrl === null
      ? dashboardDb
      : openDb(settings.databaseReadUrl, { ...forPeople, applicationName: 'notify-lists' });
  return { db, dashboardDb, listDb };
}
