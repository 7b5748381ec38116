import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, waits for the requests in flight, and closes their connections. */
  close(): Promise<void>;
}

/**
 * How long a client may take, in ms. A proxy in front keeps its connections for 60 s or so; ours must outlive them, or it
 * would send a request into one that is being closed.
 */
const timeouts = { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 75_000 };
/** How often slow clients are looked for. */
const connectionsCheckingInterval = 5_000;
/** An open connection on which nothing moves, in either direction, during a request or an answer. */
const silenceMs = 120_000;

/** Listens. Rejects when the port is taken. */
export async function listen(app: RequestListener, host: string, port: number): Promise<HttpServer> {
  const server = createServer({ ...timeouts, connectionsCheckingInterval }, app);
  server.timeout = silenceMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

/** Connections become idle one by one while requests end; each is closed as soon as it is. */
async function close(server: Server): Promise<void> {
  const closing = setInterval(() => server.closeIdleConnections(), 50);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(closing);
}
