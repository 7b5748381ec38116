import { setTimeout as wait } from 'node:timers/promises';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';

/** Header names and values in their order; a name may come twice. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A request, ready to go. */
export interface Request {
  readonly method: string;
  /** Path and query, encoded. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Media type without its parameters; empty where there is none. */
  readonly type: string;
  readonly text: string;
  /** The body parsed; undefined where it is no JSON. */
  readonly json: unknown;
}

/** Sends requests over connections that are kept. */
export interface Client {
  readonly url: URL;
  /**
   * The whole answer, of a stream of events its head alone. A 503 that says when to come again, as on a machine with no
   * time for its database, is asked again, as a client should; one that stays is the answer. Rejects when the
   * connection breaks, or after a minute.
   */
  send(request: Request): Promise<Answer>;
  /** How often it had to ask again. */
  readonly repeats: number;
  close(): void;
}

/** Far above what any answer takes: whatever is not there by then does not come. */
const hangMs = 60_000;

const maxRepeats = 10;

/** A client of the service at `address`. */
export function openClient(address: string): Client {
  const url = new URL(address);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let repeats = 0;
  return {
    url,
    get repeats() {
      return repeats;
    },
    async send(request) {
      for (let left = maxRepeats; ; left -= 1) {
        const answer = await send(url, agent, request);
        const afterMs = Number(answer.headers['retry-after']) * 1_000;
        if (answer.status !== 503 || left === 0 || !(afterMs <= hangMs)) return answer;
        repeats += 1;
        await wait(afterMs);
      }
    },
    close: () => agent.destroy(),
  };
}

function send(url: URL, agent: Agent, { method, path, headers, body }: Request): Promise<Answer> {
  const length: Headers = body === null ? [] : [['content-length', String(body.length)]];
  const sent = [['host', url.host] as const, ...headers, ...length].flat();
  return new Promise((resolve, reject) => {
    const options = {
      host: url.hostname,
      port: url.port,
      method,
      path,
      headers: sent,
      agent,
      timeout: hangMs,
    };
    const outgoing = httpRequest(options, (answer) => {
      read(answer).then(resolve, reject);
    });
    outgoing.on('error', reject);
    outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer within ${hangMs / 1_000} s`)));
    outgoing.end(body ?? undefined);
  });
}

async function read(answer: IncomingMessage): Promise<Answer> {
  const type = typeOf(answer.headers['content-type']);
  const chunks: Buffer[] = [];
  if (type === 'text/event-stream') answer.destroy();
  else for await (const chunk of answer) chunks.push(chunk as Buffer);
  return toAnswer(answer.statusCode ?? 0, answer.headers, Buffer.concat(chunks));
}

/** An answer, its body parsed where it says it is JSON. */
export function toAnswer(status: number, headers: Answer['headers'], body: Buffer): Answer {
  const type = typeOf(String(headers['content-type'] ?? ''));
  const text = body.toString('utf8');
  return { status, headers, type, text, json: type.endsWith('json') ? parse(text) : undefined };
}

function typeOf(contentType = ''): string {
  return contentType.split(';')[0]!.trim().toLowerCase();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
