import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { lastCallsMs } from '@notify/runtime';
import { createSharedPlaces, type HeldPlace } from '@notify/turns';
import { networkOf } from './http/address/networks.ts';
import { type ArrivalLimits, createLateness } from './http/arrival.ts';
import { answerNotHttp } from './http/not-http.ts';
import { limitPieces } from './http/pieces.ts';
import { listenOften, type Listeners } from './listeners.ts';

export interface HttpServer {
  readonly port: number;
  /**
   * Answers for half a second more, and tells every client with its answer that the connection ends. Then accepts
   * nothing and waits for the requests in flight.
   */
  close(): Promise<void>;
}

/** How long a client may take, in ms. */
export interface ClientLimits {
  /** For the head of a request. */
  readonly headersTimeout: number;
  /** For the body of a request, unless it is an upload. */
  readonly requestTimeout: number;
  /** For an upload: at least so many bytes within each such time, and all of it. Default: 64 KB in 30 s, within an hour. */
  readonly upload?: ArrivalLimits['upload'] & { readonly totalMs: number };
  /** How often slow clients are looked for. */
  readonly connectionsCheckingInterval: number;
  /** Without a byte in either direction, during a request or an answer. */
  readonly silence: number;
  /** The most connections at once, whatever they do. Default: 10,000. An idle one takes some 20 KB. */
  readonly connections?: number;
  /** The time by which bodies are late, in ms. Default: since the start of the process. */
  readonly clock?: () => number;
}

/** A chunk of 256 KB then takes two minutes at most, which an upload may be silent for in Postgres. */
const uploadLimits = { bytes: 65_536, withinMs: 30_000, totalMs: 3_600_000 } as const;

const clientLimits: ClientLimits = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  silence: 120_000,
};

/**
 * How long an idle connection is kept, in ms. A proxy in front keeps its own for 60 s or so. Ours must outlive those,
 * or the proxy would send a request into a connection that is closing.
 */
const keepAliveTimeout = 75_000;

const maxConnections = 10_000;

/**
 * How long requests are still taken after the server is told to close, in ms. Requests already sent are answered, and
 * clients that keep connections learn to stop using them.
 */
const lingerMs = 500;

/** How long the body of a request may go on to arrive once the request is answered, in ms. */
const leftoverMs = 5_000;

/** How long closing waits after that, in ms. Clients that take longer to send a body are cut off. */
const closeWithinMs = lastCallsMs - lingerMs;

/**
 * Listens, and cuts off clients that are slower than the limits. Bytes that are not HTTP get a problem from here. The
 * app answers a missing Host, and an unknown `Expect` is ignored (RFC 9110, 10.1.1). Rejects if the port is taken.
 */
export async function listen(
  app: RequestListener,
  host: string,
  port: number,
  {
    silence,
    connections = maxConnections,
    upload = uploadLimits,
    clock = () => performance.now(),
    ...limits
  }: ClientLimits = clientLimits,
): Promise<HttpServer> {
  // Node knows one time for all requests. It is that of the slowest uploads, and `cutLate` cuts the others earlier.
  const requestTimeout = Math.max(upload.totalMs, limits.requestTimeout);
  const server = createServer({ ...limits, requestTimeout, keepAliveTimeout, requireHostHeader: false }, app);
  server.timeout = silence;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const answers = answersOf(server, connections);
  server.on('clientError', (error, connection) => refuse(error, connection, answers));
  server.prependListener('request', (request) =>
    limitPieces(request, (error) => refuse(error, request.socket, answers)),
  );
  const isLate = createLateness({ requestTimeout: limits.requestTimeout, upload });
  const leftovers = leftoversOf(server);
  const looks = setInterval(() => {
    const nowMs = clock();
    cutLate(answers, (request) => isLate(request, nowMs));
    leftovers.cutLate(nowMs);
  }, limits.connectionsCheckingInterval);
  server.once('close', () => clearInterval(looks));
  looks.unref();
  const listeners = await listenOften(server, host, port);
  return { port: listeners.port, close: closerOf(server, listeners, answers) };
}

/** The answers under way on each open connection. */
type Answers = ReadonlyMap<Duplex, ReadonlySet<ServerResponse>>;

/**
 * Where there are too many connections, the network with the most loses the one that has been idle for the longest time, if it
 * has more than the newcomer's. Otherwise the new connection is closed. Behind a proxy all are of one network.
 */
function answersOf(server: Server, connections: number): Answers {
  const answers = new Map<Duplex, Set<ServerResponse>>();
  const places = createSharedPlaces({ total: connections, reserved: 0 });
  const held = new WeakMap<Duplex, HeldPlace>();
  server.on('connection', (socket: Socket) => {
    const own = new Set<ServerResponse>();
    const place = places.enter(
      networkOf(socket.remoteAddress ?? ''),
      () => socket.destroy(),
      () => [...own].some(isWorkedOn),
    );
    if (typeof place === 'string') {
      socket.destroy();
      return;
    }
    held.set(socket, place);
    answers.set(socket, own);
    socket.once('close', () => {
      place.leave();
      answers.delete(socket);
    });
  });
  server.on('request', ({ socket }, response) => {
    const own = answers.get(socket);
    own?.add(response);
    response.once('close', () => {
      own?.delete(response);
      held.get(socket)?.renew();
    });
  });
  return answers;
}

/**
 * Whether cutting the connection leaves the client in doubt about what was done. Admission bounds these requests, and streams have
 * their own bounds. So clients that send slowly, or do not read their answers, can be cut off however many they are.
 */
function isWorkedOn({ req, writableEnded }: ServerResponse): boolean {
  return req.complete && !writableEnded;
}

/** Refuses requests whose bodies are late, as Node does with heads that are. */
function cutLate(answers: Answers, isLate: (request: IncomingMessage) => boolean): void {
  for (const own of answers.values())
    for (const { req } of own)
      if (isLate(req))
        refuse(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), req.socket, answers);
}

/**
 * Bodies that still arrive after their request was answered. The client has time to read its answer (RFC 9112, 9.6), and then its
 * connection is closed, however its body comes on.
 */
function leftoversOf(server: Server): { readonly cutLate: (nowMs: number) => void } {
  /** When a look first found each of them; null until then. */
  const bodies = new Map<IncomingMessage, number | null>();
  server.on('request', (request, response) => {
    response.once('close', () => {
      if (request.complete || request.destroyed) return;
      bodies.set(request, null);
      request.once('close', () => bodies.delete(request));
    });
  });
  return {
    cutLate(nowMs) {
      for (const [request, sinceMs] of bodies) {
        if (request.complete) bodies.delete(request);
        else if (sinceMs === null) bodies.set(request, nowMs);
        else if (nowMs - sinceMs >= leftoverMs) request.socket.destroy();
      }
    },
  };
}

/** Refuses invalid bytes. If an answer has begun, no other can be written, so the connection is only closed. */
function refuse(error: NodeJS.ErrnoException, connection: Duplex, answers: Answers): void {
  const begun = [...(answers.get(connection) ?? [])].some(({ headersSent }) => headersSent);
  if (begun || error.code === 'ECONNRESET' || !connection.writable) connection.destroy();
  else answerNotHttp(error, connection);
}

/**
 * Node's own `close` waits for connections that have sent no request or half of one, and then no timeout ends them. So
 * closing ends the connections without an answer under way at once, and the others after their last answer.
 */
function closerOf(server: Server, listeners: Listeners, answers: Answers): () => Promise<void> {
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
    const closed = listeners.close();
    for (const [socket, own] of answers) if (own.size === 0) socket.destroy();
    const late = setTimeout(() => server.closeAllConnections(), closeWithinMs);
    await closed;
    clearTimeout(late);
  };
}

/** Tells the client to send nothing more on this connection, unless the headers have left already. */
function endsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('connection', 'close');
}
