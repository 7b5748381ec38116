import type { ApiDeps } from '../deps.ts';
import { addHeader, answerNothing, answerText } from './answer.ts';
import { authenticate } from './authenticate.ts';
import { readJson, strangersMaxBytes } from './body.ts';
import type { Check, createCheckCompiler } from './check.ts';
import { eventOf, sendEvents } from './event-stream.ts';
import type { Exchange, Handler } from './exchange.ts';
import { Problem } from './problem.ts';
import { infoOf } from './request-info.ts';
import { NoBody, NoContent, type Reply, type Route } from './route.ts';

/**
 * Makes a route's handler: credential, then rate, then path, query and body, then `handle`. What it throws is
 * answered by `answerError`. A caller taken from a cache is looked up again before a 4xx is its answer, so that a
 * revoked key hears of nothing but that.
 */
export function toHandler(
  route: Route,
  deps: ApiDeps,
  compile: ReturnType<typeof createCheckCompiler>,
): Handler {
  const readInput = inputReader(route, compile);
  return async (exchange) => {
    const { caller, confirm } = await authenticate(route, exchange, deps);
    try {
      const input = await readInput(exchange);
      const request = infoOf(exchange, deps.settings);
      const result = await route.handle({ ...input, caller, request, reply: replyOf(exchange) }, deps);
      await answer(route, exchange, result);
    } catch (error) {
      if (isRefusal(error)) await confirm?.();
      throw error;
    }
  };
}

/** A problem that would tell a caller something about the tenant's data. */
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

/** A path that cannot be right leads nowhere: it is not found. */
function checkParams(check: Check, params: Exchange['params']): Record<string, unknown> {
  try {
    return check({ ...params }) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const channelIsWrong = error.options.errors?.some(({ at }) => at === 'path/channel');
    throw new Problem(channelIsWrong ? 'unknown-channel' : 'not-found');
  }
}

/** A missing body counts as an empty object, so that what is required in it gets named. */
function bodyReader(
  route: Route,
  compile: ReturnType<typeof createCheckCompiler>,
): (exchange: Exchange) => Promise<unknown> {
  if (route.body === NoBody) return () => Promise.resolve(undefined);
  const check = compile(route.body, 'body');
  const maxBytes = route.credential === 'none' ? strangersMaxBytes : route.maxBodyBytes;
  return async ({ request }) => check((await readJson(request, maxBytes)) ?? {});
}

function replyOf(exchange: Exchange): Reply {
  return {
    header: (name, value) => addHeader(exchange, name, value),
    cookie: (setCookie) => addHeader(exchange, 'Set-Cookie', setCookie),
  };
}

async function answer({ response, status }: Route, exchange: Exchange, result: unknown): Promise<void> {
  if (response === NoContent) answerNothing(exchange, status);
  else if (eventOf(response) !== null) await sendEvents(exchange, status, result as AsyncIterable<unknown>);
  else answerText(exchange, status, 'application/json; charset=utf-8', JSON.stringify(result));
}
