import type { Request, RequestHandler, Router } from 'express';
import { otherMethod } from '../problems/problem.ts';

/** What pages take. */
const pageMethods: readonly string[] = ['GET', 'HEAD'];

/** Whether a request asks for a page. */
export function asksForPage({ method }: Pick<Request, 'method'>): boolean {
  return pageMethods.includes(method);
}

/**
 * Adds a page to a router of Express. GET and HEAD get it from `handle`; to other methods the page says what it takes, if
 * it `exists`. Express itself would answer OPTIONS for every pattern that matches.
 */
export function addPage(
  router: Pick<Router, 'route'>,
  path: string | RegExp,
  handle: RequestHandler,
  exists: (request: Request) => boolean = () => true,
): void {
  router
    .route(path)
    .get(handle)
    .all((request, _response, next) => {
      if (asksForPage(request) || !exists(request)) return next();
      throw otherMethod(pageMethods);
    });
}
