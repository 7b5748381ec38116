import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  Agent,
  type ServerResponse,
} from 'node:http';
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { callOnce, callUntilTaken } from '../deliver.ts';

/** How the gateway handles a request. Answers that take the message do so before they misbehave. */
export type GatewayAnswer =
  /** Takes it and answers 200 with its id. */
  | 'take'
  /** Takes it and never answers. */
  | 'take-and-hang'
  /** Takes it and breaks the connection. */
  | 'take-and-reset'
  /** Takes it and breaks off in the middle of the answer. */
  | 'take-and-cut'
  /** Does not take it: 429, 500, 400, 403. */
  | 'throttle'
  | 'fail'
  | 'reject'
  | 'forbid';

export interface GatewayBehaviour {
  readonly answer: GatewayAnswer;
  /** How often. After that it takes messages again. Default: until told otherwise. */
  readonly times?: number;
  /** The delivery receipts for each message it takes, in order. Default: `delivered`. */
  readonly reports?: readonly ('delivered' | 'failed')[];
  /** Wait before the answer, in ms. */
  readonly latencyMs?: number;
  /** For `throttle` and `fail`. */
  readonly retryAfter?: string;
  /** How many `100 Continue` it sends before the answer, although nobody asked. Default 0. */
  readonly continues?: number;
}

/** A message as the gateway knows it, under our id. */
export interface LedgerEntry {
  readonly id: string;
  readonly to: string;
  readonly text: string;
  /**
   * How often it was asked to send the message, and how often it did. More than once is a duplicate at the recipient.
   */
  readonly asked: number;
  readonly taken: number;
  /** Delivery receipts that our side answered with 2xx. */
  readonly reported: number;
}

/** An SMS that a person writes. `id` is the gateway's; by default a new one. */
export interface GatewayInbound {
  readonly from: string;
  readonly text: string;
  readonly id?: string;
  /** Default: UTF-8. `8-BIT` for bytes. */
  readonly charset?: string;
}

/** A stateful SMS gateway, to be connected with `settings` as an `http-sms` account. */
export interface SmsGateway extends AsyncDisposable {
  readonly url: string;
  readonly settings: Readonly<Record<string, unknown>>;
  ledger(): readonly LedgerEntry[];
  behave(behaviour: GatewayBehaviour): void;
  /** Sets the URL that incoming SMS are forwarded to. */
  setIncoming(url: string): void;
  /** A person writes. The callback is repeated until it is answered with 2xx. Returns the last status. */
  write(message: GatewayInbound): Promise<number>;
  /** Closes the port, so that connections are refused, or opens it again. */
  listen(open: boolean): Promise<void>;
  /** Resolves as soon as the ledger satisfies the condition. */
  when(condition: (ledger: readonly LedgerEntry[]) => boolean): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a gateway on a port of loopback. */
export async function startSmsGateway(port = 0): Promise<SmsGateway> {
  const ledger = new Ledger();
  const reporter = new Agent({ keepAlive: true, maxSockets: 32 });
  let behaviour: GatewayBehaviour = { answer: 'take' };
  let left = Infinity;
  let incomingUrl = '';
  const next = () => (left-- > 0 ? behaviour : { answer: 'take' as const });
  const server = createServer((request, response) => {
    void serve(request, response, () => ({ behaviour: next(), ledger, reporter }));
  });
  server.keepAliveTimeout = 60_000;
  const open = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await open(port);
  const bound = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${bound}/send`;
  const stop = async () => {
    reporter.destroy();
    if (server.listening) await close();
  };
  return {
    url,
    settings: accountSettings(url),
    ledger: () => ledger.entries(),
    behave(wanted) {
      behaviour = wanted;
      left = wanted.times ?? Infinity;
    },
    setIncoming: (address) => void (incomingUrl = address),
    async write({ from, text, id = randomUUID(), charset = 'UTF-8' }) {
      const time = String(Date.now());
      const body = new URLSearchParams({ from, to: '13013', text, id, time, charset });
      const call = () => callOnce(incomingUrl, { method: 'POST', body }, 10_000);
      return (await callUntilTaken(call)).status;
    },
    async listen(wanted) {
      if (wanted !== server.listening) await (wanted ? open(bound) : close());
    },
    when: (condition) => ledger.when(condition),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Settings of an `http-sms` account that sends through a gateway at `url`. */
export function accountSettings(url: string): Readonly<Record<string, unknown>> {
  return {
    url,
    from: 'Notify',
    body: {
      type: 'form',
      fields: {
        id: '{{id}}',
        to: '{{to}}',
        from: '{{from}}',
        text: '{{text}}',
        ttl: '{{ttl_seconds}}',
        dlr_url: '{{dlr_url}}',
      },
    },
    externalId: { pointer: '/id' },
    reports: { status: 'status', values: { delivered: 'delivered', failed: 'failed' } },
    inbound: { from: 'from', to: 'to', text: 'text', id: 'id', time: 'time', charset: 'charset' },
  };
}

interface Service {
  readonly behaviour: GatewayBehaviour;
  readonly ledger: Ledger;
  readonly reporter: Agent;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  service: () => Service,
): Promise<void> {
  // Verifying an account asks for the root of the gateway, which sends nothing.
  if (request.method !== 'POST') return void response.writeHead(404).end();
  const fields = await readFields(request).catch(() => null);
  // A caller that disconnects before its request is complete has requested nothing.
  if (fields !== null) await handle(fields, response, service());
}

async function handle(fields: URLSearchParams, response: ServerResponse, service: Service): Promise<void> {
  const ttl = Number(fields.get('ttl') ?? 1);
  if (!(Number.isInteger(ttl) && ttl >= 1 && ttl <= 604_800))
    return void response.writeHead(400).end('bad ttl');
  const { behaviour, ledger, reporter } = service;
  const { answer, latencyMs = 0, continues = 0, reports = ['delivered'] } = behaviour;
  const takes = answer.startsWith('take');
  const externalId = ledger.ask(fields, takes);
  for (let sent = 0; sent < continues; sent += 1) response.writeContinue();
  if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
  reply(response, behaviour, JSON.stringify({ id: externalId }));
  if (!takes) return;
  for (const status of reports) {
    const accepted = await report(fields.get('dlr_url') ?? '', status, reporter);
    if (accepted) ledger.reported(fields.get('id') ?? '');
  }
}

function reply(response: ServerResponse, { answer, retryAfter }: GatewayBehaviour, taken: string): void {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  switch (answer) {
    case 'take':
      response.writeHead(200, { 'content-type': 'application/json' }).end(taken);
      return;
    case 'take-and-hang':
      return;
    case 'take-and-reset':
      response.socket?.resetAndDestroy();
      return;
    case 'take-and-cut':
      response.socket?.end('HTTP/1.1 20');
      return;
    case 'throttle':
      response.writeHead(429, headers).end();
      return;
    case 'fail':
      response.writeHead(500, headers).end('internal error');
      return;
    case 'reject':
      response.writeHead(400).end('bad number');
      return;
    case 'forbid':
      response.writeHead(403).end('wrong credentials');
      return;
  }
}

/** Calls the receipt URL once. True if the receipt was accepted. A gateway does not retry. */
function report(url: string, status: string, agent: Agent): Promise<boolean> {
  if (url === '') return Promise.resolve(false);
  return new Promise((resolve) => {
    const request = httpRequest(`${url}&status=${status}`, { agent }, (response) => {
      response.resume().on('end', () => resolve((response.statusCode ?? 500) < 300));
    });
    request.on('error', () => resolve(false)).end();
  });
}

async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

class Ledger {
  private readonly byId = new Map<string, Writable<LedgerEntry>>();
  private readonly waiting = new Set<() => void>();
  private given = 0;
  private looking = false;

  entries(): readonly LedgerEntry[] {
    return [...this.byId.values()];
  }

  /** Books a request and gives the gateway's id for it. */
  ask(fields: URLSearchParams, takes: boolean): string {
    const entry = this.entry(fields);
    entry.asked += 1;
    if (takes) entry.taken += 1;
    this.changed();
    this.given += 1;
    return `gw-${this.given}`;
  }

  reported(id: string): void {
    const entry = this.byId.get(id);
    if (entry !== undefined) entry.reported += 1;
    this.changed();
  }

  when(condition: (ledger: readonly LedgerEntry[]) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this.entries())) return;
        this.waiting.delete(look);
        resolve();
      };
      this.waiting.add(look);
      look();
    });
  }

  /** Checks once for all the changes of a turn of the event loop. */
  private changed(): void {
    if (this.waiting.size === 0 || this.looking) return;
    this.looking = true;
    setImmediate(() => {
      this.looking = false;
      for (const look of this.waiting) look();
    });
  }

  private entry(fields: URLSearchParams): Writable<LedgerEntry> {
    const id = fields.get('id') ?? '';
    const known = this.byId.get(id);
    if (known !== undefined) return known;
    const made = {
      id,
      to: fields.get('to') ?? '',
      text: fields.get('text') ?? '',
      asked: 0,
      taken: 0,
      reported: 0,
    };
    this.byId.set(id, made);
    return made;
  }
}
