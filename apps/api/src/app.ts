import type { HealthHandlers } from '@notify/runtime';
import express, { type Express } from 'express';
import helmet from 'helmet';
import { callbacksRouter } from './callbacks/router.ts';
import type { ApiDeps } from './deps.ts';
import { docsRouter } from './docs/router.ts';
import { answerError, answerNotFound } from './http/answer-problem.ts';
import { createCheckCompiler } from './http/check.ts';
import { toHandler } from './http/handler.ts';
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

/** The api as an express app that does not listen yet. */
export function createApp(deps: ApiDeps, health?: HealthHandlers): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.set('trust proxy', deps.settings.trustedProxies);
  if (health !== undefined) {
    app.get('/healthz', (request, response) => health.healthz(request, response));
    app.get('/readyz', (request, response) => health.readyz(request, response));
  }
  app.use(helmet({ contentSecurityPolicy }), identifyRequest, logRequests(deps.log));
  const compile = createCheckCompiler();
  for (const route of routes) app[route.method](route.path, toHandler(route, deps, compile));
  app.use(docsRouter(routes), callbacksRouter(deps), answerNotFound, answerError(deps.log));
  return app;
}
