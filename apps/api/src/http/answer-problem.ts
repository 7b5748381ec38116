import { Overdue } from '@notify/batching';
import { isDatabaseAway } from '@notify/db/connection';
import { inRequest, type Log } from '@notify/runtime';
import { addHeader, answerNothing, answerText } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { Problem, problemBody } from '../problems/problem.ts';
import { measureRefusal } from './request-metrics.ts';

/** Answers a request that was refused before anything was done for it. Such refusals are counted, not logged. */
export function answerRefusal(exchange: Exchange, problem: Problem): void {
  sendProblem(exchange, problem);
  measureRefusal(exchange);
}

/** Answers any thrown error as a problem. Errors that are not the caller's fault are logged, once. */
export function answerError(log: Log, error: unknown, exchange: Exchange): void {
  const problem = toProblem(error);
  const { response } = exchange;
  if (problem.status >= 500) inRequest(exchange, () => logFailure(log, problem, exchange));
  if (response.headersSent) response.destroy();
  else sendProblem(exchange, problem);
}

function logFailure(log: Log, { code, cause }: Problem, { route }: Exchange): void {
  if (code === 'internal') log.tell('request-failed', { err: cause, route });
  else if (cause !== undefined) log.tell('database-away', { err: cause, route });
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Overdue) return new Problem('unavailable', { retryAfterSeconds: 1 });
  if (isDatabaseAway(error)) return new Problem('unavailable', { retryAfterSeconds: 1, cause: error });
  // Express throws this if a path is not valid percent-encoding.
  if (error instanceof URIError) return new Problem('not-found');
  return new Problem('internal', { cause: error });
}

function sendProblem(exchange: Exchange, problem: Problem): void {
  const { retryAfterSeconds, allow } = problem.options;
  if (retryAfterSeconds !== undefined)
    addHeader(exchange, 'Retry-After', String(Math.max(1, retryAfterSeconds)));
  if (problem.code === 'unauthenticated') addHeader(exchange, 'WWW-Authenticate', 'Bearer');
  if (allow !== undefined) addHeader(exchange, 'Allow', allow.join(', '));
  // Without CORS headers, so a browser's preflight is refused.
  if (allow !== undefined && exchange.request.method === 'OPTIONS') return answerNothing(exchange, 204);
  const body = JSON.stringify(problemBody(problem, exchange.requestId));
  answerText(exchange, problem.status, 'application/problem+json; charset=utf-8', body);
}
