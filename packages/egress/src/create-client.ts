import type { Dispatcher } from 'undici';
import { exchange } from './exchange.ts';
import { type AgentOptions, type GuardedAgent, openGuardedAgent, ownHeaders } from './guarded-agent.ts';
import type { HttpClient, HttpRequest, HttpResult } from './http-client.ts';
import { isStreamed, type OutgoingBody, outgoingBody } from './outgoing-body.ts';

export interface HttpClientOptions extends AgentOptions {
  /** Refuse http where neither development nor an exception allows it: the rule for webhooks. Default false. */
  readonly httpsOnly?: boolean;
}

/**
 * Makes the guarded client. It asks for no content coding (`Accept-Encoding: identity`) and undoes none: an answer that
 * is compressed all the same is handed on as the bytes it is, so no bomb can unfold. Connections are kept alive; each
 * new one is vetted again. `close` ends what is in flight as `aborted`.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const guarded = openGuardedAgent(options);
  return {
    request: (request) => send(guarded, options, request),
    close: () => guarded.agent.destroy(),
  };
}

async function send(
  { agent, guard }: GuardedAgent,
  options: HttpClientOptions,
  request: HttpRequest,
): Promise<HttpResult> {
  if (!URL.canParse(request.url)) return blocked('not a URL');
  const url = new URL(request.url);
  const refusal = guard.judgeUrl(url, options.httpsOnly ?? false);
  if (refusal !== null) return blocked(refusal);
  if (!isStreamed(request.body)) return exchange(agent, dispatchOptions(url, options, request), request);
  const body = outgoingBody(request.body);
  return exchange(agent, streamOptions(url, options, request, body), request, body.isWhole);
}

function dispatchOptions(
  url: URL,
  options: HttpClientOptions,
  { method, headers, body }: HttpRequest,
): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers: { ...ownHeaders(options), ...lowerCased(headers ?? {}) },
    body: typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : null,
  };
}

function streamOptions(
  url: URL,
  options: HttpClientOptions,
  request: HttpRequest,
  { length, chunks }: OutgoingBody,
): Dispatcher.DispatchOptions {
  const headers = { ...request.headers, 'content-length': String(length) };
  // undici takes any async iterable, though its types name Readable only.
  const body = chunks as unknown as NonNullable<Dispatcher.DispatchOptions['body']>;
  return { ...dispatchOptions(url, options, { ...request, headers }), body };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function blocked(text: string): HttpResult {
  return { ok: false, error: 'blocked', text, written: false, durationMs: 0 };
}
