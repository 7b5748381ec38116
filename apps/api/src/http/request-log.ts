import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Log } from '@notify/runtime';
import type { Exchange } from './exchange.ts';

const saneId = /^[\w.-]{1,64}$/;

/** The id of a request: the caller's `X-Request-Id` if it is sane, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && saneId.test(given) ? given : randomUUID();
}

/**
 * Logs one line when the request is over. It has the route's pattern instead of the path, because callback paths
 * contain a secret.
 */
export function logRequest(log: Log, exchange: Exchange): void {
  const began = performance.now();
  const { request, response, requestId } = exchange;
  response.once('close', () => {
    const { route, tenantId } = exchange;
    const facts = {
      method: request.method,
      route: route ?? pageOf(request),
      status: response.statusCode,
      ms: Math.round((performance.now() - began) * 10) / 10,
      requestId,
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    log.info(facts, 'request');
  });
}

/** The pattern of the page that Express matched, or null if it matched none. */
function pageOf(request: IncomingMessage): string | null {
  const { route } = request as { readonly route?: { readonly path?: unknown } };
  return typeof route?.path === 'string' ? route.path : null;
}
