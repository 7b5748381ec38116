import type { RequestListener } from 'node:http';
import type { HealthHandlers, Log } from '@notify/runtime';
import express, { type Express } from 'express';
import { createCallbackHandler } from './callbacks/handler.ts';
import { dashboardRouter } from './dashboard/router.ts';
import type { ApiDeps } from './deps.ts';
import { docsRouter } from './docs/router.ts';
import { answerError } from './http/answer-problem.ts';
import { createCheckCompiler } from './http/check.ts';
import { direct, type DirectRoute } from './http/direct.ts';
import { eventOf } from './http/event-stream.ts';
import type { ApiHandler, ApiRequest, ApiResponse } from './http/exchange.ts';
import { toHandler } from './http/handler.ts';
import { demandHost } from './http/not-http.ts';
import { Problem } from './http/problem.ts';
import { protectiveHeaders } from './http/protect.ts';
import { identifyRequest, logRequest } from './http/request-log.ts';
import { NoContent, type Route } from './http/route.ts';
import { routes } from './routes.ts';

/** One for every app of this process: it keeps what it has compiled of each schema. */
const compile = createCheckCompiler();

/**
 * The api, not listening yet: an Express app. Sends, look-ups and callbacks come to the same handlers without its router
 * (`direct.ts`).
 */
export function createApp(deps: ApiDeps, health?: HealthHandlers): RequestListener {
  const handlers: Handlers = {
    headers: protectiveHeaders(deps.settings.cookieSecure),
    routes: routes.map((route) => ({ route, handle: toHandler(route, deps, compile) })),
    callback: createCallbackHandler(deps),
  };
  return direct(directRoutes(handlers), answerDirectly(handlers, deps), routed(handlers, deps, health));
}

/** What answers, whichever way a request comes. */
interface Handlers {
  /** Those of every answer, names and values in turn. */
  readonly headers: readonly string[];
  readonly routes: readonly { readonly route: Route; readonly handle: ApiHandler }[];
  readonly callback: ApiHandler;
}

/** Every endpoint, by Express's router. */
function routed(
  { headers, routes: known, callback }: Handlers,
  deps: ApiDeps,
  health?: HealthHandlers,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', deps.settings.trustedProxies);
  app.use((_request, response, next) => {
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
    next();
  });
  if (health !== undefined) {
    app.get('/healthz', (request, response) => health.healthz(request, response));
    app.get('/readyz', (request, response) => health.readyz(request, response));
  }
  app.use((request, response, next) => {
    begin(deps.log, request, response);
    next();
  });
  for (const { route, handle } of known) app[route.method](route.path, handle);
  app.use(docsRouter(routes));
  app.use(dashboardRouter());
  app.all('/callbacks/:provider/:accountId{/:secret}', callback);
  app.use(() => {
    throw new Problem('not-found');
  });
  app.use((error: unknown, request: ApiRequest, response: ApiResponse, _next: () => void) =>
    answerError(deps.log, error, request, response),
  );
  return app;
}

function directRoutes({ routes: known, callback }: Handlers): DirectRoute[] {
  const byKey = known.filter(({ route }) => route.credential === 'api-key' && answersText(route));
  return [
    ...byKey.map(({ route, handle }) => ({
      methods: [route.method.toUpperCase()],
      path: route.path,
      handle,
    })),
    {
      methods: ['GET', 'POST'],
      path: '/callbacks/:provider/:accountId/:secret',
      readsQuery: true,
      handle: callback,
    },
  ];
}

/** Only such answers have the headers that are kept together on the direct way. */
function answersText({ response }: Route): boolean {
  return response !== NoContent && eventOf(response) === null;
}

function answerDirectly({ headers }: Handlers, { log }: ApiDeps) {
  async function answer(request: ApiRequest, response: ApiResponse, handle: ApiHandler): Promise<void> {
    response.locals.headers = [...headers];
    begin(log, request, response);
    await handle(request, response);
  }
  return (request: ApiRequest, response: ApiResponse, handle: ApiHandler): void => {
    answer(request, response, handle).catch((error: unknown) => answerError(log, error, request, response));
  };
}

function begin(log: Log, request: ApiRequest, response: ApiResponse): void {
  identifyRequest(request, response);
  logRequest(log, request, response);
  demandHost(request);
}
