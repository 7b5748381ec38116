import { channels } from '@notify/core';
import type { Settings } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import { addHeader, answerNothing, answerText } from './answer.ts';
import { readJson, strangersMaxBytes } from './input/body.ts';
import { FileBody, fileBodyOf } from './input/file-body.ts';
import type { Check, createCheckCompiler } from './input/check.ts';
import { eventOf, sendEvents } from './event-stream.ts';
import { type FileAnswer, FileStream, sendFile } from './file-stream.ts';
import type { Exchange, Handler } from './exchange.ts';
import { withHeaderKey } from './input/idempotency-header.ts';
import { Problem } from '../problems/problem.ts';
import { measureStream } from './request-metrics.ts';
import { infoOf } from './request-info.ts';
import { type Authenticated, NoBody, NoContent, type Reply, type Route, type RouteOver } from './route.ts';

/** How the app has requests handled. */
export interface Handling<N> {
  /** What the handlers of the routes need, all together. */
  readonly needs: N;
  /** Checks the credential that a route requires, its scope and its rate. Throws the problem that names the fault. */
  readonly authenticate: (route: Route, exchange: Exchange) => Promise<Authenticated>;
  readonly compile: ReturnType<typeof createCheckCompiler>;
  readonly settings: Pick<Settings, 'traceSenders' | 'trustedProxies'>;
}

/**
 * Makes a route's handler: credential, then rate, then path, query and body, then `handle`. `answerError` answers the
 * errors it throws. A cached caller is looked up again before it gets a 4xx, so that a revoked key learns only that it
 * is revoked.
 */
export function toHandler<N>(
  route: RouteOver<N>,
  { needs, authenticate, compile, settings }: Handling<N>,
): Handler {
  const readInput = inputReader(route, compile);
  return async (exchange) => {
    const { caller, confirm } = await authenticate(route, exchange);
    try {
      const input = await readInput(exchange);
      if (traces.enabled)
        exchange.origin = traces.originOf(
          settings.traceSenders === 'follow' ? exchange.request.headers[traces.header] : undefined,
        );
      const request = infoOf(exchange, settings);
      const result = await route.handle({ ...input, caller, request, reply: replyOf(exchange) }, needs);
      await answer(route, exchange, result);
    } catch (error) {
      if (isRefusal(error)) await confirm?.();
      throw error;
    }
  };
}

/** Whether the error is a problem that would reveal something about the tenant's data. */
function isRefusal(error: unknown): boolean {
  return error instanceof Problem && error.status < 500 && error.status !== 429;
}

interface Input {
  readonly params: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
}

function inputReader(
  route: Route,
  compile: ReturnType<typeof createCheckCompiler>,
): (exchange: Exchange) => Promise<Input> {
  const params = compile(route.params, 'path');
  const query = compile(route.query, 'query');
  const readBody = bodyReader(route, compile);
  return async (exchange) => {
    const path = checkParams(params, exchange.params);
    route.checkPath?.(path);
    return {
      params: path,
      query: query({ ...exchange.query }) as Record<string, unknown>,
      body: await readBody(exchange),
    };
  };
}

/** Tells whether the route's path exists with such named parts, as far as the parts themselves tell. */
export function existsWith(
  route: Route,
  compile: ReturnType<typeof createCheckCompiler>,
): (params: Exchange['params']) => boolean {
  const check = compile(route.params, 'path');
  return (params) => {
    try {
      checkParams(check, params);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  };
}

/** A path with invalid parameters is not found. */
function checkParams(check: Check, params: Exchange['params']): Record<string, unknown> {
  try {
    return check({ ...params }) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const channelIsWrong = error.options.errors?.some(({ at }) => at === 'path/channel');
    if (!channelIsWrong) throw new Problem('not-found');
    throw new Problem('unknown-channel', { detail: `The channels are ${channels.join(', ')}.` });
  }
}

/** A missing body counts as an empty object, so that the error names its required fields. */
function bodyReader(
  route: Route,
  compile: ReturnType<typeof createCheckCompiler>,
): (exchange: Exchange) => Promise<unknown> {
  if (route.body === NoBody) return () => Promise.resolve(undefined);
  if (route.body === FileBody) return ({ request }) => Promise.resolve(fileBodyOf(request));
  const check = compile(route.body, 'body');
  const maxBytes = route.credential === 'none' ? strangersMaxBytes : route.maxBodyBytes;
  return async ({ request, place }) =>
    withHeaderKey(check((await readJson(request, maxBytes, place)) ?? {}), route, request);
}

function replyOf(exchange: Exchange): Reply {
  return {
    header: (name, value) => addHeader(exchange, name, value),
    cookie: (setCookie) => addHeader(exchange, 'Set-Cookie', setCookie),
  };
}

async function answer({ response, status }: Route, exchange: Exchange, result: unknown): Promise<void> {
  if (response === NoContent) answerNothing(exchange, status);
  else if (response === FileStream) {
    exchange.place.leave();
    measureStream(exchange, 'files');
    await sendFile(exchange, status, result as FileAnswer);
  } else if (eventOf(response) !== null) {
    exchange.place.leave();
    measureStream(exchange, 'events');
    await sendEvents(exchange, status, result as AsyncIterable<unknown>);
  } else answerText(exchange, status, 'application/json; charset=utf-8', JSON.stringify(result));
}
