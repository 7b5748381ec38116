import type { Log } from '@notify/runtime';
import type { Request, RequestHandler } from 'express';
import { randomUUID } from 'node:crypto';

const saneId = /^[\w.-]{1,64}$/;

/** Gives every request its id (the caller's `X-Request-Id` where that is sane) and every answer the header. */
export const identifyRequest: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  const requestId = given !== undefined && saneId.test(given) ? given : randomUUID();
  response.locals.requestId = requestId;
  response.set('X-Request-Id', requestId);
  next();
};

/** One line per request. The route's pattern stands for the path: paths of callbacks hold a secret. */
export function logRequests(log: Log): RequestHandler {
  return (request, response, next) => {
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
    next();
  };
}

/** The pattern of the route that took a request; null where none did. */
export function routeOf(request: Request): string | null {
  const route: unknown = request.route;
  const hasPath = typeof route === 'object' && route !== null && 'path' in route;
  return hasPath && typeof route.path === 'string' ? route.path : null;
}
