import { hostname } from 'node:os';
import { openDb, processId } from '@notify/db/connection';
import { openServers, type ServerChange } from '@notify/db/servers';
import { metrics, type StartedTraces, traces } from '@notify/telemetry';
import { openHealth, type ProcessHealthOptions } from './health.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createLevelTaker } from './log-levels.ts';
import { demandPooler } from './pooler.ts';
import { startSampler } from './sampler.ts';
import { refuseTooNewSchema } from './schema-check.ts';

export interface ObserveOptions extends ProcessHealthOptions {
  readonly version: string;
}

/** What shows operators a running process. */
export interface Observed {
  /** The port of `/healthz`, `/readyz` and `/metrics`. Null for an api that went on without. */
  readonly healthPort: number | null;
  /** Call it when the work of the process has ended: it sends the last spans. */
  close(): Promise<void>;
}

/**
 * Starts what shows operators this process, before its work. Rejects when its port is taken (see `openHealth` for an
 * api), and with a `SchemaError` if the schema is too new for this code.
 */
export async function observe(options: ObserveOptions): Promise<Observed> {
  const { name, version, settings } = options;
  if (settings.metrics) metrics.measureProcess(name, version);
  const pooler = await demandPooler(settings, options.log);
  const isSampling = name === 'dispatch-worker';
  const servers = openServers(settings.databaseUrl);
  servers.onChange((change) => tellOfServers(options, change));
  // A separate pool, so that a process that waits for connections is still seen to be alive.
  const db = openDb(settings, {
    applicationName: 'notify-observe',
    maxConnections: isSampling ? 2 : 1,
    connectTimeoutMs: 2_000,
    queryTimeoutMs: 3_000,
  });
  await refuseTooNewSchema(db);
  const tracing = await startTraces(options);
  const health = await openHealth(options);
  const levels = createLevelTaker(options.log);
  const heartbeat = startHeartbeat({
    ...options,
    db,
    id: processId,
    health: health === null ? null : addressOf(settings.healthHost ?? settings.host, health.port),
    onLogLevels: levels.take,
  });
  const sampler = isSampling
    ? startSampler({ ...options, db, id: processId, periodMs: settings.sampleMs })
    : null;
  return {
    healthPort: health?.port ?? null,
    async close() {
      levels.close();
      pooler.close();
      await Promise.all([heartbeat.close(), sampler?.close(), health?.close(), tracing?.close()]);
      await db.destroy();
      servers.close();
    },
  };
}

function tellOfServers({ log }: ObserveOptions, { kind, server, other }: ServerChange): void {
  log.tell(kind === 'moved' ? 'database-moved' : 'former-primary', { server, otherServer: other });
}

/** Where other hosts reach the port. The name of this host stands for all its addresses. */
function addressOf(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? hostname() : host;
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Null without a collector. */
async function startTraces({ name, version, settings, log }: ObserveOptions): Promise<StartedTraces | null> {
  const { traceEndpoint: endpoint, traceHeaders: headers, traceRatio: ratio } = settings;
  if (endpoint === null) return null;
  return traces.start({
    endpoint,
    headers,
    ratio,
    process: name,
    version,
    instanceId: processId,
    onOutage: (fault) =>
      fault === null ? log.tell('traces-sent-again', {}) : log.tell('traces-lost', { detail: fault }),
  });
}
