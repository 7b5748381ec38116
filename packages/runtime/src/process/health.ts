import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MetricsOptions, metricsPage } from './metrics-page.ts';

/** Resolves when a dependency answers, rejects when it does not. */
export type Check = () => Promise<void>;

export interface HealthOptions {
  /** The checks of readiness, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** The checks that readiness requires. A failure of any other check makes the process `degraded`. */
  readonly required: readonly string[];
  /** How long one check may take, in ms. A longer one counts as failed. Default 2,000. */
  readonly timeoutMs?: number;
  /** Once it is aborted, the process is not ready, whatever the checks say: it is about to end. */
  readonly ending?: AbortSignal;
}

/** The response of `/readyz`. */
export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'failed';
  readonly checks: Readonly<Record<string, 'ok' | 'degraded' | 'failed'>>;
}

/** Plain handlers: they fit `node:http` and express. */
export interface HealthHandlers {
  /** 200 `{status: 'ok'}` as long as the process can respond. */
  healthz(request: IncomingMessage, response: ServerResponse): void;
  /** 200 or, when a required check fails, 503; the body is a Readiness. */
  readyz(request: IncomingMessage, response: ServerResponse): void;
}

/** The two handlers for these checks. Requests that come while the checks run share their result. */
export function healthHandlers(options: HealthOptions): HealthHandlers {
  let running: Promise<Readiness> | null = null;
  const current = (): Promise<Readiness> => {
    running ??= runChecks(options).finally(() => {
      running = null;
    });
    return running;
  };
  return {
    healthz: (_request, response) => answer(response, 200, { status: 'ok' }),
    readyz: (_request, response) => {
      void current().then((readiness) => {
        answer(response, readiness.status === 'failed' ? 503 : 200, readiness);
      });
    },
  };
}

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

export interface HealthServerOptions extends HealthOptions {
  readonly host: string;
  readonly port: number;
  /** Null: `/metrics` is not found. */
  readonly metrics?: MetricsOptions | null;
}

/**
 * What one client may cost the process. Operators' requests are small and few: a scraper sends one every few seconds.
 * Times are in ms.
 */
const bounds = {
  connections: 256,
  /** Further requests on a connection close it. The last answer tells the client to open another one. */
  requestsPerConnection: 100,
  /** From the first byte of a request to its last. */
  requestMs: 5_000,
  /** How long a connection may be idle, also while its client reads nothing. */
  idleMs: 10_000,
};

/**
 * Serves `/healthz`, `/readyz` and `/metrics` to operators, on their own port. Rejects when the port is taken. A
 * client cannot cost the process more than a few requests at a time: connections, their requests and times are bounded.
 */
export async function startHealthServer(options: HealthServerOptions): Promise<HealthServer> {
  const health = healthHandlers(options);
  const pages = new Map<string, RequestListener>([
    ['/healthz', (request, response) => health.healthz(request, response)],
    ['/readyz', (request, response) => health.readyz(request, response)],
  ]);
  if (options.metrics) pages.set('/metrics', metricsPage(options.metrics));
  const times = { headersTimeout: bounds.requestMs, requestTimeout: bounds.requestMs };
  const server = createServer({ ...times, connectionsCheckingInterval: 1_000 }, (request, response) => {
    const page = pages.get((request.url ?? '').split('?', 1)[0]!);
    if (page === undefined) answer(response, 404, { status: 'not-found' });
    else if (request.method !== 'GET' && request.method !== 'HEAD') answerOthers(request, response);
    else page(request, response);
  });
  server.maxConnections = bounds.connections;
  server.maxRequestsPerSocket = bounds.requestsPerConnection;
  server.timeout = bounds.idleMs;
  // Node would answer each of them with 503.
  server.on('dropRequest', (_request, socket) => socket.destroy());
  await listen(server, options.host, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function runChecks({ checks, required, timeoutMs = 2_000, ending }: HealthOptions): Promise<Readiness> {
  if (ending?.aborted === true) return { status: 'failed', checks: { ending: 'failed' } };
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const failed = required.includes(name) ? 'failed' : 'degraded';
      return [name, (await passes(check, timeoutMs)) ? 'ok' : failed] as const;
    }),
  );
  const states = entries.map(([, state]) => state);
  const worst = states.includes('failed') ? 'failed' : states.includes('degraded') ? 'degraded' : 'ok';
  return { status: worst, checks: Object.fromEntries(entries) };
}

async function passes(check: Check, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs);
  });
  const checked = (async () => check())().then(
    () => true,
    () => false,
  );
  return Promise.race([checked, late]).finally(() => clearTimeout(timer));
}

/** OPTIONS and 405, RFC 9110, 9.3.7 and 15.5.6. */
function answerOthers({ method }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD');
  if (method === 'OPTIONS') response.writeHead(204).end();
  else answer(response, 405, { status: 'method-not-allowed' });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
