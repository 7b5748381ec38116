import type { RequestListener } from 'node:http';
import { isUuid } from '@notify/core';
import { type HealthHandlers, inRequest } from '@notify/runtime';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { freePlace } from './admission/admission.ts';
import type { Asker } from './admission/asker.ts';
import { classOf } from './admission/work-class.ts';
import { authenticate } from './auth/authenticate.ts';
import { answerInTime, laterByClock } from './callbacks/answer-in-time.ts';
import { createCallbackHandler, toHeaders } from './callbacks/handler.ts';
import { dashboardRouter } from './dashboard/router.ts';
import { docsRouter } from './docs/router.ts';
import { answerError, answerRefusal } from './http/answer-problem.ts';
import { createCheckCompiler } from './http/input/check.ts';
import { addHeader } from './http/answer.ts';
import type { Exchange } from './http/exchange.ts';
import { askerOf, exhaustedRate, type KnownAsker } from './find-asker.ts';
import { existsWith, type Handling, toHandler } from './http/handle.ts';
import { demandHost } from './http/not-http.ts';
import { addPage } from './http/page.ts';
import { otherMethod, Problem } from './problems/problem.ts';
import { protectiveHeaders } from './http/protect.ts';
import { logRequest, requestIdOf } from './http/request-log.ts';
import { measureRequest } from './http/request-metrics.ts';
import type { RouteOver } from './http/route.ts';
import { createRouter, type Endpoint, type Found } from './http/router.ts';
import type { Parts } from './parts.ts';
import { type Needs, routes } from './routes.ts';

/** Shared by every app of this process, because it caches the compiled schemas. */
const compile = createCheckCompiler();

/**
 * The api as an Express app that does not listen yet. Its first middleware handles the endpoints. Express itself serves
 * the documents, the dashboard and the health checks. Health checks are neither logged nor given a request id.
 */
export function createApp(parts: Parts, health?: HealthHandlers): RequestListener {
  const headers = protectiveHeaders(parts.settings.cookieSecure);
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(answerEndpoints(parts, headers));
  app.use((_request, response, next) => {
    setHeaders(response, headers);
    next();
  });
  if (health !== undefined) {
    app.get('/healthz', (request, response) => health.healthz(request, response));
    app.get('/readyz', (request, response) => health.readyz(request, response));
  }
  app.use((request, response, next) => {
    const exchange = begin(toExchange(request, response, null, null, headers), parts);
    setHeaders(response, exchange.headers);
    demandHost(request);
    inRequest(exchange, next);
  });
  // Their pages are answered above.
  for (const path of ['/healthz', '/readyz']) addPage(app, path, (_request, _response, next) => next());
  app.use(docsRouter(routes));
  app.use(dashboardRouter(parts.settings));
  app.use(() => {
    throw new Problem('not-found');
  });
  app.use((error: unknown, request: Request, response: Response, _next: () => void) => {
    const exchange = exchangeOf(response) ?? toExchange(request, response, null, null, headers);
    answerError(parts.log, error, exchange);
  });
  return app;
}

/**
 * Handles requests whose path is that of an endpoint, and passes the others on. What is refused by its rate or
 * because too much is in progress costs no query, no log line, and not the reading of its body.
 */
function answerEndpoints(parts: Parts, headers: readonly string[]): RequestHandler {
  const router = createRouter(endpointsOf(parts));
  return (request, response, next) => {
    const found = router.find(request.method, request.path);
    if (found === null) {
      const isOfServer = request.method === 'OPTIONS' && request.url === '*';
      const others = isOfServer ? null : router.at(request.path);
      const allow = [...(others?.keys() ?? router.methods)];
      if (allow.length === 0) return next();
      const [other = null] = others?.values() ?? [];
      begin(toExchange(request, response, other, null, headers), parts);
      demandHost(request);
      throw otherMethod(allow);
    }
    const { endpoint, params } = found;
    const asker = askerOf(endpoint, request, params, parts);
    const exchange = toExchange(request, response, found, asker, headers);
    if (isRefused(exchange, endpoint, asker, parts)) return;
    begin(exchange, parts);
    demandHost(request);
    return inRequest(exchange, () => {
      const work = admitted(exchange, endpoint, asker, parts);
      const withinMs = answerMsOf(endpoint, exchange, parts);
      exchange.handled =
        withinMs === null ? work : answerInTime(work, exchange, withinMs, { later: laterByClock, ...parts });
      return exchange.handled;
    });
  };
}

/** The latest a callback is answered, if its provider gives up soon. */
function answerMsOf({ work }: Endpoint, { params, request }: Exchange, parts: Parts): number | null {
  if (work !== 'callback') return null;
  const adapter = parts.adapters.get(params['provider'] ?? '');
  return adapter?.callbackAnswerMs?.(toHeaders(request)) ?? null;
}

/** Whether the request must be refused. Then it is answered here. */
function isRefused(exchange: Exchange, endpoint: Endpoint, asker: KnownAsker, parts: Parts): boolean {
  const { work = null } = endpoint;
  const exhausted = exhaustedRate(asker, endpoint, parts);
  for (const [name, value] of exhausted?.headers ?? []) addHeader(exchange, name, value);
  const problem = exhausted?.problem ?? (work === null ? null : parts.admission.judge(work, asker));
  if (problem !== null) parts.admission.refuse(() => answerRefusal(exchange, problem));
  return problem !== null;
}

/** Handles the request in its place among those in progress. */
function admitted(
  exchange: Exchange,
  { work = null, handle }: Endpoint,
  asker: Asker,
  { admission }: Pick<Parts, 'admission'>,
): Promise<void> {
  if (work === null) return handle(exchange);
  return admission.run(work, asker, exchange.response, (place) => {
    exchange.place = place;
    return handle(exchange);
  });
}

function endpointsOf(parts: Parts): Endpoint[] {
  const handled: readonly RouteOver<Needs>[] = routes;
  const handling: Handling<Needs> = {
    needs: parts,
    authenticate: (route, exchange) => authenticate(route, exchange, parts),
    compile,
    settings: parts.settings,
  };
  const callback = {
    methods: ['GET', 'HEAD', 'POST'],
    work: 'callback' as const,
    exists: ({ provider = '', accountId = '' }: Found['params']) =>
      parts.adapters.get(provider)?.parseCallback !== undefined && isUuid(accountId),
    handle: createCallbackHandler(parts),
  };
  return [
    ...handled.map((route) => ({
      methods: route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()],
      path: route.path,
      credential: route.credential,
      keyInAuthorization: route.keyInAuthorization === true,
      scope: route.scope,
      work: classOf(route),
      exists: existsWith(route, compile),
      handle: toHandler(route, handling),
    })),
    { ...callback, path: '/callbacks/:provider/:accountId' },
    { ...callback, path: '/callbacks/:provider/:accountId/:secret' },
  ];
}

/** Has the end of an exchange logged and counted. Everything later, errors included, answers through this exchange. */
function begin(exchange: Exchange, { log }: Pick<Parts, 'log'>): Exchange {
  (exchange.response as Response).locals.exchange = exchange;
  logRequest(log, exchange);
  measureRequest(exchange);
  return exchange;
}

function exchangeOf({ locals }: Response): Exchange | undefined {
  return locals.exchange as Exchange | undefined;
}

function toExchange(
  request: Request,
  response: Response,
  found: Found | null,
  asker: Asker | null,
  headers: readonly string[],
): Exchange {
  const requestId = requestIdOf(request);
  return {
    request,
    response,
    route: found?.endpoint.path ?? null,
    accepts: found?.endpoint.credential ?? 'none',
    params: found?.params ?? {},
    query: request.url.includes('?') ? (request.query as Exchange['query']) : {},
    requestId,
    asker,
    place: freePlace,
    headers: [...headers, 'X-Request-Id', requestId],
  };
}

/** For answers that Express writes. */
function setHeaders(response: Response, headers: readonly string[]): void {
  for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
}
