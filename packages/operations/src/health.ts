import { healthPorts, type ProcessName } from '@notify/core';
import {
  type HealthOptions,
  type HealthServer,
  type Log,
  type MetricsOptions,
  type Settings,
  startHealthServer,
} from '@notify/runtime';
import { metrics } from '@notify/telemetry';

export interface ProcessHealthOptions extends HealthOptions {
  readonly name: ProcessName;
  readonly settings: Settings;
  readonly log: Log;
}

/**
 * Serves the health checks and metrics of a process. Rejects when the port is taken, with an error that names HEALTH_PORT. The exception is an api whose
 * operator chose no port: several of them may run on one host, and each also answers health checks on its public port.
 * So it logs a warning and goes on without, and the result is null. Metrics that other hosts can read without a token
 * are a warning too.
 */
export async function openHealth(options: ProcessHealthOptions): Promise<HealthServer | null> {
  const { name, settings, log } = options;
  const host = settings.healthHost ?? settings.host;
  const port = settings.healthPort ?? healthPorts[name];
  const mayGoWithout = name === 'api' && settings.healthPort === null;
  const without = (): null => {
    log.tell('metrics-port-taken', { port });
    return null;
  };
  // The api opens its public port later.
  if (mayGoWithout && port === settings.port) return without();
  try {
    const server = await startHealthServer({ ...options, host, port, metrics: metricsOf(options) });
    if (settings.metrics && settings.metricsToken === null && !isLoopback(host))
      log.tell('metrics-open', { port: server.port });
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (mayGoWithout) return without();
    throw new Error(`${(error as Error).message}: set HEALTH_PORT`, { cause: error });
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

function metricsOf({ settings, log }: ProcessHealthOptions): MetricsOptions | null {
  if (!settings.metrics) return null;
  return {
    contentType: metrics.registry.contentType,
    render: () => metrics.registry.metrics(),
    token: settings.metricsToken,
    onError: (error) => log.tell('metrics-failed', { err: error }),
  };
}
