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
  /** When the last byte arrived, in ms since 1970. */
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
  /** How many `100 Continue` are sent before the answer, although nobody asked. Default 0. */
  readonly continues?: number;
}

export interface Receiver extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** Everything received so far, oldest first. */
  readonly received: readonly Received[];
  /** Connections ever accepted. */
  readonly connections: number;
  /** The requests that have no answer yet, and whose client has not gone. */
  readonly atOnce: number;
  /** The highest number of simultaneous requests so far. */
  readonly mostAtOnce: number;
  /** Sets the behaviour from now on. A function is called for each request. */
  behave(behaviour: Behaviour | ((request: Received) => Behaviour)): void;
  /** The first request that `matches` and that no earlier call of `next` returned. Waits for one if necessary. */
  next(matches?: (request: Received) => boolean): Promise<Received>;
  /** Waits until `count` requests have arrived in total. */
  atLeast(count: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an HTTP server that records requests and answers as told, at first with 200. It listens on loopback; `host`
 * makes it reachable for a service that runs elsewhere.
 */
export async function startReceiver(port = 0, host = '127.0.0.1'): Promise<Receiver> {
  const receiver = new RunningReceiver();
  await receiver.listen(port, host);
  return receiver;
}

interface Waiting {
  readonly matches: (request: Received) => boolean;
  readonly resolve: (request: Received) => void;
}

class RunningReceiver implements Receiver {
  url = '';
  readonly received: Received[] = [];
  connections = 0;
  mostAtOnce = 0;
  atOnce = 0;
  private behaviour: (request: Received) => Behaviour = () => ({});
  /** Received requests that no call of `next` has returned yet. */
  private readonly fresh: Received[] = [];
  private readonly waiting = new Set<Waiting>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly server = createServer((request, response) => void this.take(request, response));

  async listen(port: number, host: string): Promise<void> {
    this.server.on('connection', () => (this.connections += 1));
    this.server.listen(port, host);
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  behave(behaviour: Behaviour | ((request: Received) => Behaviour)): void {
    this.behaviour = typeof behaviour === 'function' ? behaviour : () => behaviour;
  }

  next(matches: (request: Received) => boolean = () => true): Promise<Received> {
    const index = this.fresh.findIndex(matches);
    if (index >= 0) return Promise.resolve(this.fresh.splice(index, 1)[0]!);
    return new Promise((resolve) => this.waiting.add({ matches, resolve }));
  }

  async atLeast(count: number): Promise<void> {
    while (this.received.length < count) await once(this.server, 'kept');
  }

  async close(): Promise<void> {
    for (const timer of this.timers) clearTimeout(timer);
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    response.on('close', () => (this.atOnce -= 1));
    try {
      const whole = await read(request);
      this.keep(whole);
      this.answer(response, this.behaviour(whole));
    } catch {
      response.destroy();
    }
  }

  private keep(request: Received): void {
    this.received.push(request);
    const reader = [...this.waiting].find((one) => one.matches(request));
    if (reader === undefined) this.fresh.push(request);
    else {
      this.waiting.delete(reader);
      reader.resolve(request);
    }
    this.server.emit('kept');
  }

  private answer(
    response: ServerResponse,
    { status = 200, headers = {}, body = '', ...how }: Behaviour,
  ): void {
    for (let sent = 0; sent < (how.continues ?? 0); sent += 1) response.writeContinue();
    if (how.hang) return;
    const send = (): void => void response.writeHead(status, headers).end(body);
    if (how.delayMs === undefined) send();
    else this.timers.add(setTimeout(send, how.delayMs));
  }
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
