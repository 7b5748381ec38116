import { parseCookie } from 'cookie';
import type { ApiDeps } from '../deps.ts';
import { authenticate } from './authenticate.ts';
import { readJson, strangersMaxBytes } from './body.ts';
import type { Check, createCheckCompiler } from './check.ts';
import { eventOf, sendEvents } from './event-stream.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from './exchange.ts';
import { Problem } from './problem.ts';
import { NoBody, NoContent, type Reply, type RequestInfo, type Route } from './route.ts';
import { addHeader, sendText } from './send-text.ts';

/**
 * Makes a route's handler: credential, then rate, then path, query and body, then `handle`. What it throws is
 * answered by `answerError`. A caller taken from a cache is looked up again before a 4xx is its answer, so that a
 * revoked key hears of nothing but that.
 */
export function toHandler(
  route: Route,
  deps: ApiDeps,
  compile: ReturnType<typeof createCheckCompiler>,
): ApiHandler {
  const readInput = inputReader(route, compile);
  const byKey = route.credential === 'api-key';
  return async (request, response) => {
    const { caller, confirm } = await authenticate(route, request, response, deps);
    try {
      const input = await readInput(request);
      const answer = await route.handle(
        { ...input, caller, request: byKey ? null : infoOf(request, response), reply: replyOf(response) },
        deps,
      );
      await send(route, response, answer);
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
): (request: ApiRequest) => Promise<Input> {
  const params = compile(route.params, 'path');
  const query = compile(route.query, 'query');
  const readBody = bodyReader(route, compile);
  return async (request) => {
    const path = checkParams(params, request.params);
    route.checkPath?.(path);
    return {
      params: path,
      query: query({ ...request.query }) as Record<string, unknown>,
      body: await readBody(request),
    };
  };
}

/** A path that cannot be right leads nowhere: it is not found. */
function checkParams(check: Check, params: ApiRequest['params']): Record<string, unknown> {
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
): (request: ApiRequest) => Promise<unknown> {
  if (route.body === NoBody) return () => Promise.resolve(undefined);
  const check = compile(route.body, 'body');
  const maxBytes = route.credential === 'none' ? strangersMaxBytes : route.maxBodyBytes;
  return async (request) => check((await readJson(request, maxBytes)) ?? {});
}

function infoOf(request: ApiRequest, response: ApiResponse): RequestInfo {
  return {
    requestId: response.locals.requestId,
    address: request.ip ?? '',
    headers: request.headers,
    cookies: parseCookie(request.headers.cookie ?? ''),
    get gone() {
      return goneSignal(request, response);
    },
  };
}

function goneSignal({ method }: ApiRequest, response: ApiResponse): AbortSignal {
  if (method === 'HEAD' || response.closed) return AbortSignal.abort();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

function replyOf(response: ApiResponse): Reply {
  return {
    header: (name, value) => addHeader(response, name, value),
    cookie: (setCookie) => void response.appendHeader('Set-Cookie', setCookie),
  };
}

async function send(route: Route, response: ApiResponse, answer: unknown): Promise<void> {
  response.statusCode = route.status;
  if (route.response === NoContent) response.end();
  else if (eventOf(route.response) !== null) await sendEvents(response, answer as AsyncIterable<unknown>);
  else sendText(response, route.status, 'application/json; charset=utf-8', JSON.stringify(answer));
}
