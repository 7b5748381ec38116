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
import type { ApiHandler, ApiRequest, ApiResponse } from './http/exchange.ts';
import { toHandler } from './http/handler.ts';
import { demandHost } from './http/not-http.ts';
import { Problem } from './http/problem.ts';
import { createProtect } from './http/protect.ts';
import { identifyRequest, logRequest } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { routes } from './routes.ts';

/**
 * The api, not listening yet: an Express app. Sends, look-ups and callbacks come to the same handlers without its router
 * (`direct.ts`).
 */
export function createApp(deps: ApiDeps, health?: HealthHandlers): RequestListener {
  const compile = createCheckCompiler();
  const handlers: Handlers = {
    protect: createProtect(deps.settings.cookieSecure),
    routes: routes.map((route) => ({ route, handle: toHandler(route, deps, compile) })),
    callback: createCallbackHandler(deps),
  };
  return direct(directRoutes(handlers), answerDirectly(handlers, deps), routed(handlers, deps, health));
}

/** What answers, whichever way a request comes. */
interface Handlers {
  readonly protect: (response: ApiResponse) => void;
  readonly routes: readonly { readonly route: Route; readonly handle: ApiHandler }[];
  readonly callback: ApiHandler;
}

/** Every endpoint, by Express's router. */
function routed(
  { protect, routes: known, callback }: Handlers,
  deps: ApiDeps,
  health?: HealthHandlers,
): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', deps.settings.trustedProxies);
  app.use((_request, response, next) => {
    protect(response);
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
  const byKey = known.filter(({ route }) => route.credential === 'api-key');
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

function answerDirectly({ protect }: Handlers, { log }: ApiDeps) {
  async function answer(request: ApiRequest, response: ApiResponse, handle: ApiHandler): Promise<void> {
    protect(response);
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
