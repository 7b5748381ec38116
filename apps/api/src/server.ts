import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { lastCallsMs } from '@notify/runtime';
import { answerNotHttp } from './http/not-http.ts';
import { limitPieces } from './http/pieces.ts';

export interface HttpServer {
  readonly port: number;
  /**
   * Answers for half a second more, and tells every client with its answer that the connection ends; then accepts
   * nothing, and waits for the requests in flight.
   */
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

/**
 * How long requests are still taken when the server is to close, in ms: one that its client has sent already is
 * answered, and clients that keep connections learn to use them no more.
 */
const lingerMs = 500;

/** How long closing waits after that, in ms; a client that dawdles over its body longer is cut off. */
const closeWithinMs = lastCallsMs - lingerMs;

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
  server.prependListener('request', (request) =>
    limitPieces(request, (error) => refuse(error, request.socket, answers)),
  );
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
  server.prependListener('request', (_, response) => {
    if (closing) endsConnection(response);
  });
  server.on('request', ({ socket }, response) => {
    response.once('close', () => {
      if (closing && (answers.get(socket)?.size ?? 0) === 0) socket.end();
    });
  });
  return async () => {
    closing = true;
    for (const own of answers.values()) for (const response of own) endsConnection(response);
    await wait(lingerMs);
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const [socket, own] of answers) if (own.size === 0) socket.destroy();
    const late = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    await closed;
    clearTimeout(late);
  };
}

/** Tells the client, where that can still be told, that it should send nothing more on this connection. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
