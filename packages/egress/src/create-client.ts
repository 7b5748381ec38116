import { Agent, type Dispatcher, Pool } from 'undici';
import { type ConnectOptions, guardedConnector, type Lookup, systemLookup } from './connect.ts';
import { exchange } from './exchange.ts';
import { createGuard, type EgressRules, type Guard } from './guard.ts';
import type { HttpClient, HttpRequest, HttpResult } from './http-client.ts';

export interface HttpClientOptions extends EgressRules {
  readonly userAgent: string;
  /** Refuse http where neither development nor an exception allows it: the rule for webhooks. Default false. */
  readonly httpsOnly?: boolean;
  /** Open connections to one origin at most, whoever asks. Default 16. */
  readonly connectionsPerOrigin?: number;
  /** How names are looked up. Default: as the system does. */
  readonly lookup?: Lookup;
  /** Certificate authorities to trust in place of the system's, as PEM. */
  readonly ca?: string;
}

/** Bytes of headers an answer may have. */
const maxHeaderSize = 16_384;

/**
 * Makes the guarded client. It asks for no content coding (`Accept-Encoding: identity`) and undoes none: an answer that
 * is compressed all the same is handed on as the bytes it is, so no bomb can unfold. Connections are kept alive; each
 * new one is vetted again. `close` ends what is in flight as `aborted`.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const guard = createGuard(options);
  const agent = openAgent({ guard, lookup: options.lookup ?? systemLookup, ...pick(options.ca) }, options);
  return {
    request: (request) => send(agent, guard, options, request),
    close: () => agent.destroy(),
  };
}

function openAgent(connect: ConnectOptions, { connectionsPerOrigin }: HttpClientOptions): Agent {
  const pool: Pool.Options = {
    connections: connectionsPerOrigin ?? 16,
    maxHeaderSize,
    // The deadline of each request is the only clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  return new Agent({
    factory: (origin) => new Pool(origin, { ...pool, connect: guardedConnector(new URL(origin), connect) }),
  });
}

async function send(
  agent: Agent,
  guard: Guard,
  options: HttpClientOptions,
  request: HttpRequest,
): Promise<HttpResult> {
  if (!URL.canParse(request.url)) return blocked('not a URL');
  const url = new URL(request.url);
  const refusal = guard.judgeUrl(url, options.httpsOnly ?? false);
  if (refusal !== null) return blocked(refusal);
  return exchange(agent, dispatchOptions(url, options.userAgent, request), request);
}

function dispatchOptions(url: URL, userAgent: string, request: HttpRequest): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method,
    headers: { 'user-agent': userAgent, 'accept-encoding': 'identity', ...lowerCased(request.headers ?? {}) },
    body: typeof request.body === 'string' ? Buffer.from(request.body) : (request.body ?? null),
  };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function blocked(text: string): HttpResult {
  return { ok: false, error: 'blocked', text, written: false, durationMs: 0 };
}

function pick(ca: string | undefined): { ca?: string } {
  return ca === undefined ? {} : { ca };
}
