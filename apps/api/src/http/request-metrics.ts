import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { metrics } from '@notify/telemetry';
import type { Exchange } from './exchange.ts';
import { pageOf } from './page-of.ts';
import { type Credential, tokenPrefix } from './credential.ts';

/** Other methods are counted as `other`, because a client can send any word. */
const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The route of requests that match none, whatever their paths are. */
const noRoute = 'none';
/** The route of the dashboard's pages and files. */
const dashboardRoute = 'dashboard';

/** Counts one kind of request. */
interface Counted {
  request(): void;
  /** Null for answers that are streams: their time says how long the client stayed. */
  readonly duration: ((seconds: number) => void) | null;
}

/** By their labels, because finding the labels of a metric costs more than counting. As many as there are labels. */
const known = new Map<string, Counted>();

/** Counts a request when it is over. Its labels are words of ours: the route's pattern, never the path. */
export function measureRequest(exchange: Exchange): void {
  const began = performance.now();
  const { request, response } = exchange;
  metrics.http.inProgress.inc();
  response.once('close', () => {
    const credential = credentialOf(exchange.accepts, request.headers);
    const isStream = exchange.stream !== undefined;
    const status = response.writableFinished || isStream ? String(response.statusCode) : 'aborted';
    const method = methodOf(request);
    const route = exchange.route ?? pageOf(request) ?? otherRoute(response.statusCode);
    const counted = countedAs(method, route, status, credential, isStream);
    counted.request();
    counted.duration?.((performance.now() - began) / 1000);
    if (response.statusCode === 429) metrics.http.rateLimited.labels(credential).inc();
    if (!isStream) metrics.http.inProgress.dec();
  });
}

/** Says that the answer is a stream, which is open until the client or the handler ends it. */
export function measureStream(exchange: Exchange, kind: 'events' | 'files'): void {
  if (exchange.response.closed) return;
  exchange.stream = kind;
  metrics.http.inProgress.dec();
  const open = metrics.http.streams.labels(kind);
  open.inc();
  exchange.response.once('close', () => open.dec());
}

/** Counts a request that was refused before anything was done for it, in no time. */
export function measureRefusal({ request, response, route, accepts }: Exchange): void {
  const credential = credentialOf(accepts, request.headers);
  const status = String(response.statusCode);
  const counted = countedAs(methodOf(request), route ?? noRoute, status, credential, false);
  counted.request();
  counted.duration?.(0);
  if (response.statusCode === 429) metrics.http.rateLimited.labels(credential).inc();
}

/** Counts bytes that are not HTTP. They have no method, route or credential. */
export function measureNotHttp(status: number): void {
  metrics.http.requests.labels('other', noRoute, String(status), 'none').inc();
}

function countedAs(
  method: string,
  route: string,
  status: string,
  credential: string,
  isStream: boolean,
): Counted {
  const key = `${method} ${route} ${status} ${credential} ${isStream}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const requests = metrics.http.requests.labels(method, route, status, credential);
  const duration = isStream ? null : metrics.http.duration.labels(method, route, classOf(status));
  const made: Counted = {
    request: () => requests.inc(),
    duration: duration && ((seconds) => duration.observe(seconds)),
  };
  known.set(key, made);
  return made;
}

/** Without a pattern, only the dashboard answers anything but an error. */
function otherRoute(status: number): string {
  return status < 400 ? dashboardRoute : noRoute;
}

function methodOf({ method = '' }: IncomingMessage): string {
  return methods.has(method) ? method : 'other';
}

function classOf(status: string): string {
  return status === 'aborted' ? status : `${status[0]}xx`;
}

/** The kind of credential that the request carries, if it is one that the route accepts. It may be wrong. */
function credentialOf(accepts: Credential, headers: IncomingHttpHeaders): string {
  switch (accepts) {
    case 'none':
      return 'none';
    case 'api-key':
      return headers['x-api-key'] === undefined ? 'none' : 'api-key';
    case 'session':
    case 'bearer': {
      const [, token] = /^Bearer +(\S+)/i.exec(headers.authorization ?? '') ?? [];
      if (token === undefined) return 'none';
      return token.startsWith(tokenPrefix) ? 'service-token' : 'session';
    }
  }
}
