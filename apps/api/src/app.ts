import type { HealthHandlers } from '@notify/runtime';
import express, { type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { callbacksRouter } from './callbacks/router.ts';
import type { ApiDeps } from './deps.ts';
import { docsRouter } from './docs/router.ts';
import { answerError, answerNotFound } from './http/answer-problem.ts';
import { createCheckCompiler } from './http/check.ts';
import { toHandler } from './http/handler.ts';
import { demandHost } from './http/not-http.ts';
import { identifyRequest, logRequests } from './http/request-log.ts';
import { routes } from './routes.ts';

/** Answers are data, or pages of ours that load a style sheet of ours and nothing else. */
const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    styleSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  },
};

/** A year, for this host alone: whoever runs the service may have others below its name. */
const strictTransportSecurity = { maxAge: 31_536_000, includeSubDomains: false };

/** The api as an express app that does not listen yet. */
export function createApp(deps: ApiDeps, health?: HealthHandlers): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', deps.settings.trustedProxies);
  app.use(protect(deps.settings.cookieSecure), neverCached);
  if (health !== undefined) {
    app.get('/healthz', (request, response) => health.healthz(request, response));
    app.get('/readyz', (request, response) => health.readyz(request, response));
  }
  app.use(identifyRequest, logRequests(deps.log), demandHost);
  const compile = createCheckCompiler();
  for (const route of routes) app[route.method](route.path, toHandler(route, deps, compile));
  app.use(docsRouter(routes), callbacksRouter(deps), answerNotFound, answerError(deps.log));
  return app;
}

/** Headers for browsers. Without https they must not be told to insist on it (RFC 6797, 7.2). */
function protect(https: boolean): RequestHandler {
  return helmet({ contentSecurityPolicy, strictTransportSecurity: https && strictTransportSecurity });
}

/** Answers hold credentials and other people's data; what may be kept says so itself. */
const neverCached: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};
