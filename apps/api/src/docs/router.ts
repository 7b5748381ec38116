import { type ProblemCode, problems } from '@notify/contract';
import express, { type Response, type Router } from 'express';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { Problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { apiPage } from './api-page.ts';
import { html, page, prose } from './html.ts';
import { describeApi } from './openapi.ts';

const styleFile = path.join(import.meta.dirname, 'style.css');
const cacheSeconds = 300;

/** `/openapi.json`, `/docs`, and a page for every problem's `type`. No page loads anything from another host. */
export function docsRouter(routes: readonly Route[]): Router {
  const api = describeApi(routes, manifest.version);
  const documentation = apiPage(api);
  const style = readFileSync(styleFile, 'utf8');
  const router = express.Router();
  router.get('/openapi.json', (_request, response) => void cached(response).json(api));
  router.get('/docs', (_request, response) => void cached(response).type('html').send(documentation));
  router.get('/docs/style.css', (_request, response) => void cached(response).type('css').send(style));
  router.get('/problems/:code', ({ params }, response) => {
    if (!Object.hasOwn(problems, params.code)) throw new Problem('not-found');
    cached(response)
      .type('html')
      .send(problemPage(params.code as ProblemCode));
  });
  return router;
}

function cached(response: Response): Response {
  return response.set('Cache-Control', `public, max-age=${cacheSeconds}`);
}

function problemPage(code: ProblemCode): string {
  const { status, title, help } = problems[code];
  return page(
    `${code} · Notify API`,
    html`<main>
      <h1><code>${code}</code></h1>
      <p>${status} ${title}. ${prose(help)}</p>
      <p><a href="/docs#errors">All errors</a></p>
    </main>`,
  );
}
