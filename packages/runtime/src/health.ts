import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves when a dependency answers, rejects when it does not. */
export type Check = () => Promise<void>;

export interface HealthOptions {
  /** The checks of readiness, by name. */
  readonly checks: Readonly<Record<string, Check>>;
  /** The checks that readiness requires. A failure of any other check makes the process `degraded`. */
  readonly required: readonly string[];
  /** How long one check may take, in ms. A longer one counts as failed. Default 2,000. */
  readonly timeoutMs?: number;
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

/** Serves `/healthz` and `/readyz`, for processes without another server. Rejects when the port is taken. */
export async function startHealthServer(
  options: HealthOptions & { readonly host: string; readonly port: number },
): Promise<HealthServer> {
  const handlers = healthHandlers(options);
  const server = createServer((request, response) => {
    if (request.url === '/healthz') handlers.healthz(request, response);
    else if (request.url === '/readyz') handlers.readyz(request, response);
    else answer(response, 404, { status: 'not-found' });
  });
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

async function runChecks({ checks, required, timeoutMs = 2_000 }: HealthOptions): Promise<Readiness> {
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

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}
