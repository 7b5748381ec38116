import { isDatabaseAway } from '@notify/db/connection';
import type { Log } from '@notify/runtime';
import type { ApiRequest, ApiResponse } from './exchange.ts';
import { Problem, problemBody } from './problem.ts';
import { routeOf } from './request-log.ts';
import { addHeader, sendText } from './send-text.ts';

/** Whatever was thrown becomes the answer, a problem; what is not the caller's fault is logged, once. */
export function answerError(log: Log, error: unknown, request: ApiRequest, response: ApiResponse): void {
  const problem = toProblem(error);
  if (problem.status >= 500) {
    const facts = { err: problem.cause, requestId: response.locals.requestId, route: routeOf(request) };
    if (problem.code === 'internal') log.error(facts, 'request failed');
    else if (problem.cause !== undefined) log.warn(facts, 'database away');
  }
  if (response.headersSent) response.destroy();
  else sendProblem(response, problem);
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return new Problem('unavailable', { retryAfterSeconds: 1, cause: error });
  // The router's own: a path that is not valid percent-encoding.
  if (error instanceof URIError) return new Problem('not-found');
  return new Problem('internal', { cause: error });
}

function sendProblem(response: ApiResponse, problem: Problem): void {
  const { retryAfterSeconds } = problem.options;
  if (retryAfterSeconds !== undefined)
    addHeader(response, 'Retry-After', String(Math.max(1, retryAfterSeconds)));
  if (problem.code === 'unauthenticated') addHeader(response, 'WWW-Authenticate', 'Bearer');
  const body = JSON.stringify(problemBody(problem, response.locals.requestId));
  sendText(response, problem.status, 'application/problem+json; charset=utf-8', body);
}
