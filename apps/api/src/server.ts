import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerNotHttp } from './http/not-http.ts';

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, waits for the requests in flight, and closes their connections. */
  close(): Promise<void>;
}

/** How long a client may take, in ms. */
export interface ClientLimits {
  /** To send the head of a request. */
  readonly headersTimeout: number;
  /** To send all of a request. */
  readonly requestTimeout: number;
  /** How often those who are slower are looked for. */
  readonly connectionsCheckingInterval: number;
  /** With nothing moving, in either direction, during a request or an answer. */
  readonly silence: number;
}

const clientLimits: ClientLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  silence: 120_000,
};

/**
 * How long an idle connection is kept, in ms. A proxy in front keeps its own for 60 s or so; ours must outlive them, or it
 * would send a request into one that is being closed.
 */
const keepAliveTimeout = 75_000;

/** How long closing waits for requests in flight; a client that dawdles over its body longer is cut off. */
const closeWithinMs = 15_000;

/**
 * Listens, and cuts off clients that are slower than the limits. What is not HTTP is answered here, with a problem; a
 * missing Host is left to the app, and an `Expect` that nobody knows is passed over (RFC 9110, 10.1.1). Rejects when the
 * port is taken.
 */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  { silence, ...limits }: ClientLimits = clientLimits,
): Promise<HttpServer> {
  const server = createServer({ ...limits, keepAliveTimeout, requireHostHeader: false }, app);
  server.timeout = silence;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const answers = answersOf(server);
  server.on('clientError', (error, connection) => refuse(error, connection, answers));
  const close = closerOf(server, answers);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close };
}

/** The answers under way on each open connection. */
type Answers = ReadonlyMap<Duplex, ReadonlySet<ServerResponse>>;

function answersOf(server: Server): Answers {
  const answers = new Map<Duplex, Set<ServerResponse>>();
  server.on('connection', (socket: Socket) => {
    answers.set(socket, new Set());
    socket.once('close', () => answers.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const own = answers.get(socket);
    own?.add(response);
    response.once('close', () => own?.delete(response));
  });
  return answers;
}

/** Where an answer has begun, no other can be written. */
function refuse(error: NodeJS.ErrnoException, connection: Duplex, answers: Answers): void {
  const begun = [...(answers.get(connection) ?? [])].some(({ headersSent }) => headersSent);
  if (begun || error.code === 'ECONNRESET' || !connection.writable) connection.destroy();
  else answerNotHttp(error, connection);
}

/**
 * Node's own `close` waits for connections that have sent no request, or half of one, and then no timeout ends them. So
 * closing ends those that have no answer under way, and the others after their last.
 */
function closerOf(server: Server, answers: Answers): () => Promise<void> {
  let closing = false;
  server.on('request', ({ socket }, response) => {
    response.once('close', () => {
      if (closing && (answers.get(socket)?.size ?? 0) === 0) socket.end();
    });
  });
  return async () => {
    closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, own] of answers) if (own.size === 0) socket.destroy();
    const late = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    await closed;
    clearTimeout(late);
  };
}
