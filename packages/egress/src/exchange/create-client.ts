import type { Dispatcher } from 'undici';
import { type AgentOptions, openGuardedAgent, ownHeaders } from '../connections/guarded-agent.ts';
import { type Destination, type Judge, rememberingJudge } from '../guard/destination.ts';
import type { HttpClient, HttpRequest, HttpResult, HttpStream, StreamRequest } from '../http-client.ts';
import { exchange } from './exchange.ts';
import { openStream } from './open-stream.ts';
import { isStreamed, type OutgoingBody, outgoingBody } from './outgoing-body.ts';

export interface HttpClientOptions extends AgentOptions {
  /** Refuse http unless development or an exception allows it: the rule for webhooks. Default false. */
  readonly httpsOnly?: boolean;
}

/**
 * Makes the guarded client. It requests no content coding (`Accept-Encoding: identity`). `request` decodes none: a
 * compressed answer is handed on as compressed bytes, so no bomb can unfold. `stream` decodes piece by piece, up to the
 * limit of the request. Connections are kept alive, and each new one is vetted again. `close` ends everything in flight
 * as `aborted`.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { agent, guard } = openGuardedAgent(options);
  const judge = rememberingJudge(guard, options.httpsOnly ?? false);
  const own = ownHeaders(options);
  return {
    request: (request) => send(agent, judge, own, request),
    stream: (request) => stream(agent, judge, own, request),
    close: () => agent.destroy(),
  };
}

type Headers = Readonly<Record<string, string>>;

function send(agent: Dispatcher, judge: Judge, own: Headers, request: HttpRequest): Promise<HttpResult> {
  const destination = judge(request.url);
  if (typeof destination === 'string') return Promise.resolve(blocked(destination));
  const { options, bodyIsWhole } = outgoing(destination, own, request);
  return exchange(agent, options, request, bodyIsWhole);
}

function stream(agent: Dispatcher, judge: Judge, own: Headers, request: StreamRequest): Promise<HttpStream> {
  const destination = judge(request.url);
  if (typeof destination === 'string') return Promise.resolve(blocked(destination));
  const { options, bodyIsWhole } = outgoing(destination, own, request);
  return openStream(agent, options, request, bodyIsWhole);
}

function outgoing(destination: Destination, own: Headers, request: HttpRequest) {
  if (!isStreamed(request.body))
    return { options: dispatchOptions(destination, own, request), bodyIsWhole: () => true };
  const body = outgoingBody(request.body);
  return { options: streamOptions(destination, own, request, body), bodyIsWhole: body.isWhole };
}

function dispatchOptions(
  { origin, path }: Destination,
  own: Headers,
  { method, headers, body }: HttpRequest,
): Dispatcher.DispatchOptions {
  return {
    origin,
    path,
    method,
    headers: withOwn(own, headers ?? {}),
    body: typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : null,
    // A connection carries one request at a time, so the headers of an answer free nothing for other requests.
    blocking: false,
  };
}

function streamOptions(
  destination: Destination,
  own: Headers,
  request: HttpRequest,
  { length, chunks }: OutgoingBody,
): Dispatcher.DispatchOptions {
  const headers = { ...request.headers, 'content-length': String(length) };
  // undici takes any async iterable, although its types name only Readable.
  const body = chunks as unknown as NonNullable<Dispatcher.DispatchOptions['body']>;
  return { ...dispatchOptions(destination, own, { ...request, headers }), body };
}

/** Our headers, overridden by the request's regardless of case. */
function withOwn(own: Headers, headers: Headers): Record<string, string> {
  const all: Record<string, string> = { ...own };
  for (const name of Object.keys(headers)) all[name.toLowerCase()] = headers[name]!;
  return all;
}

function blocked(text: string): Extract<HttpResult, { readonly ok: false }> {
  return { ok: false, error: 'blocked', text, written: false, durationMs: 0 };
}
