import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes, untouched. */
  readonly body: Buffer;
  /** When the last byte was in, in ms since 1970. */
  readonly at: number;
}

/** How a request is answered. */
export interface Behaviour {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wait before the answer, in ms. */
  readonly delayMs?: number;
  /** Never answer. */
  readonly hang?: boolean;
}

export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Everything received so far, oldest first. */
  readonly received: readonly Received[];
  /** Connections ever accepted. */
  readonly connections: number;
  /** Requests under way at once, at most so far. */
  readonly mostAtOnce: number;
  /** From now on, answers so; a function is asked for each request. */
  behave(behaviour: Behaviour | ((request: Received) => Behaviour)): void;
  /** The first request that `matches` and that no earlier call of `next` returned; waits until one comes. */
  next(matches?: (request: Received) => boolean): Promise<Received>;
  /** Waits until `count` requests have come in all. */
  atLeast(count: number): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly matches: (request: Received) => boolean;
  readonly resolve: (request: Received) => void;
}

/**
 * Starts an HTTP server that keeps what it receives and answers as it is told; 200 at first. It listens on loopback;
 * `host` makes it reachable for a service that runs elsewhere.
 */
export async function startReceiver(port = 0, host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  const fresh: Received[] = [];
  const waiting = new Set<Waiting>();
  const timers = new Set<NodeJS.Timeout>();
  let behaviour: (request: Received) => Behaviour = () => ({});
  let connections = 0;
  let atOnce = 0;
  let mostAtOnce = 0;

  function keep(request: Received): void {
    received.push(request);
    const reader = [...waiting].find((one) => one.matches(request));
    if (reader === undefined) fresh.push(request);
    else {
      waiting.delete(reader);
      reader.resolve(request);
    }
    server.emit('kept');
  }

  function answer(
    response: ServerResponse,
    { status = 200, headers = {}, body = '', ...how }: Behaviour,
  ): void {
    if (how.hang) return;
    const send = (): void => void response.writeHead(status, headers).end(body);
    if (how.delayMs === undefined) send();
    else timers.add(setTimeout(send, how.delayMs));
  }

  const server = createServer((request, response) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    response.on('close', () => (atOnce -= 1));
    read(request).then(
      (whole) => {
        keep(whole);
        answer(response, behaviour(whole));
      },
      () => response.destroy(),
    );
  });
  server.on('connection', () => (connections += 1));
  server.listen(port, host);
  await once(server, 'listening');

  async function close(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    get connections() {
      return connections;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    behave(how) {
      behaviour = typeof how === 'function' ? how : () => how;
    },
    next(matches = () => true) {
      const index = fresh.findIndex(matches);
      if (index >= 0) return Promise.resolve(fresh.splice(index, 1)[0]!);
      return new Promise((resolve) => waiting.add({ matches, resolve }));
    },
    async atLeast(count) {
      while (received.length < count) await once(server, 'kept');
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: request.headers,
    body: Buffer.concat(chunks),
    at: Date.now(),
  };
}
