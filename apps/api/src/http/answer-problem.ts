import { isDatabaseAway } from '@notify/db';
import type { Log } from '@notify/runtime';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { Problem, problemBody } from './problem.ts';
import { routeOf } from './request-log.ts';

/** Answers every path and method that no route took. */
export const answerNotFound: RequestHandler = () => {
  throw new Problem('not-found');
};

/** The last handler: whatever was thrown becomes a problem, and what is not the caller's fault is logged, once. */
export function answerError(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const problem = toProblem(error);
    if (problem.status >= 500) {
      const facts = { err: problem.cause, requestId: response.locals.requestId, route: routeOf(request) };
      if (problem.code === 'internal') log.error(facts, 'request failed');
      else log.warn(facts, 'database away');
    }
    if (response.headersSent) response.destroy();
    else sendProblem(response, problem);
  };
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return new Problem('unavailable', { retryAfterSeconds: 1, cause: error });
  // The router's own: a path that is not valid percent-encoding.
  if (error instanceof URIError) return new Problem('not-found');
  return new Problem('internal', { cause: error });
}

function sendProblem(response: Response, problem: Problem): void {
  const { retryAfterSeconds } = problem.options;
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(Math.max(1, retryAfterSeconds)));
  if (problem.code === 'unauthenticated') response.set('WWW-Authenticate', 'Bearer');
  response
    .status(problem.status)
    .type('application/problem+json')
    .send(JSON.stringify(problemBody(problem, response.locals.requestId)));
}
