import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { inRequest, type Log } from '@notify/runtime';
import type { Origin } from '@notify/telemetry';
import type { Exchange } from './exchange.ts';
import { pageOf } from './page-of.ts';

const saneId = /^[\w.-]{1,64}$/;

/** The id of a request: the caller's `X-Request-Id` if it is sane, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && saneId.test(given) ? given : randomUUID();
}

/**
 * Logs one line when the request is over. If the client goes earlier, that is when the endpoint has done its work, so that the line
 * names the message that is made nevertheless. It has the route's pattern instead of the path, because callback paths
 * contain a secret.
 */
export function logRequest(log: Log, exchange: Exchange): void {
  const began = performance.now();
  const { request, response } = exchange;
  response.once('close', () => {
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const { handled } = exchange;
    if (response.writableFinished || handled === undefined) tell(ms, false);
    else handled.finally(() => tell(ms, true)).catch(() => undefined);
  });

  function tell(ms: number, aborted: boolean): void {
    const { route, tenantId, messageId, messages, origin } = exchange;
    const traceId = origin?.traceId ?? null;
    const facts = {
      method: request.method ?? null,
      route: route ?? pageOf(request),
      status: response.statusCode,
      durationMs: ms,
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(messageId === undefined ? {} : { messageId }),
      ...(messages === undefined ? {} : { messages }),
      ...(traceId === null ? {} : { traceId }),
      ...(aborted || !response.writableFinished ? { aborted: true } : {}),
    };
    // The end of a response belongs to its connection, which serves many requests.
    inRequest(exchange, () => log.tell('request', facts));
    if (traceId !== null) traceRequest(origin!, exchange, began);
  }
}

/** Records the span of a request that made messages. Its route is a pattern, as in the log. */
function traceRequest(origin: Origin, { request, response, route }: Exchange, beganAt: number): void {
  const { statusCode } = response;
  origin.end(route?.startsWith('/callbacks/') === true ? 'callback' : 'request', {
    attributes: {
      'http.request.method': request.method ?? '',
      'http.route': route ?? '',
      'http.response.status_code': statusCode,
    },
    beganAt,
    error: statusCode >= 500 ? `status ${statusCode}` : null,
  });
}
