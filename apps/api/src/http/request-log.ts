import { randomUUID } from 'node:crypto';
import type { Log } from '@notify/runtime';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { addHeader } from './send-text.ts';

const saneId = /^[\w.-]{1,64}$/;

/** Gives a request its id (the caller's `X-Request-Id` where that is sane) and its answer the header. */
export function identifyRequest(request: ApiRequest, response: ApiResponse): void {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && saneId.test(given) ? given : randomUUID();
  response.locals.requestId = requestId;
  addHeader(response, 'X-Request-Id', requestId);
}

/** Logs one line when the request is over. The route's pattern stands for the path: paths of callbacks hold a secret. */
export function logRequest(log: Log, request: ApiRequest, response: ApiResponse): void {
  const began = performance.now();
  response.once('close', () => {
    const { requestId, tenantId } = response.locals;
    const facts = {
      method: request.method,
      route: routeOf(request),
      status: response.statusCode,
      ms: Math.round((performance.now() - began) * 10) / 10,
      requestId,
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(response.writableFinished ? {} : { aborted: true }),
    };
    log.info(facts, 'request');
  });
}

/** The pattern of the route that took a request; null where none did. */
export function routeOf({ route }: ApiRequest): string | null {
  const hasPath = typeof route === 'object' && route !== null && 'path' in route;
  return hasPath && typeof route.path === 'string' ? route.path : null;
}
