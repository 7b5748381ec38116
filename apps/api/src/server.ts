import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

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

/** How long closing waits for requests in flight; a client that dawdles over its body longer is cut off. */
const closeWithinMs = 15_000;

/** Listens. Rejects when the port is taken. */
export async function listen(app: RequestListener, host: string, port: number): Promise<HttpServer> {
  const server = createServer({ ...timeouts, connectionsCheckingInterval }, app);
  server.timeout = silenceMs;
  const close = closerOf(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close };
}

/**
 * Node's own `close` waits for connections that have sent no request, or half of one, and then no timeout ends them. So
 * requests are counted per connection: closing ends those that have none, and the others after their last.
 */
function closerOf(server: Server): () => Promise<void> {
  const inFlight = new Map<Socket, number>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    inFlight.set(socket, 0);
    socket.once('close', () => inFlight.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (inFlight.get(socket) ?? 1) - 1;
      if (inFlight.has(socket)) inFlight.set(socket, left);
      if (closing && left === 0) socket.end();
    });
  });
  return async () => {
    closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, count] of inFlight) if (count === 0) socket.destroy();
    const late = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    await closed;
    clearTimeout(late);
  };
}
