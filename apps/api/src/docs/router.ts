import { type ProblemCode, problems } from '@notify/contract';
import express, { type Request, type Response, type Router } from 'express';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import manifest from '../../package.json' with { type: 'json' };
import { builtDashboard } from '../dashboard/router.ts';
import { addPage } from '../http/page.ts';
import { Problem } from '../http/problem.ts';
import type { Route } from '../http/route.ts';
import { guidePage, guidesPage } from './guide-pages.ts';
import { installation, readGuides } from './guides.ts';
import { describeApi } from './openapi.ts';
import { problemPage, problemsPage } from './problem-pages.ts';
import { missingPage, referenceFilesIn, referencePage, referencePolicy } from './reference-page.ts';

const cacheSeconds = 300;

/** Where the documents are that the api serves. */
export interface DocsFolders {
  /** Into which `npm run dashboard` puts the renderer of the reference. */
  readonly dashboard?: string;
  /** With `docs/guides`. */
  readonly root?: string;
}

/**
 * `/openapi.json`, the API reference at `/docs`, the guides below `/docs/guides`, and the pages of the error codes. No page
 * loads anything from another host.
 */
export function docsRouter(
  routes: readonly Route[],
  { dashboard = builtDashboard, root = installation }: DocsFolders = {},
): Router {
  const api = JSON.stringify(describeApi(routes, manifest.version));
  const codes = problemsPage();
  const [style, referenceStyle] = ['style.css', 'reference.css'].map((name) =>
    readFileSync(path.join(import.meta.dirname, name), 'utf8'),
  );
  let packedApi: Buffer | null = null;
  let reference: string | null = null;
  const router = express.Router();
  addPage(router, '/openapi.json', (request, response) => {
    cached(response).type('json').vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip', 'identity') !== 'gzip') return void response.send(api);
    packedApi ??= gzipSync(api);
    response.set('Content-Encoding', 'gzip').send(packedApi);
  });
  addPage(router, '/docs', (_request, response) => {
    const files = reference === null ? referenceFilesIn(dashboard) : null;
    if (files !== null) reference = referencePage(files);
    if (reference === null) response.set('Cache-Control', 'no-store').type('html').send(missingPage());
    else cached(response).set('Content-Security-Policy', referencePolicy).type('html').send(reference);
  });
  addPage(router, '/docs/style.css', (_request, response) => void cached(response).type('css').send(style));
  addPage(
    router,
    '/docs/reference.css',
    (_request, response) => void cached(response).type('css').send(referenceStyle),
  );
  router.use('/docs/guides', guidesRouter(root));
  addPage(router, '/problems', (_request, response) => void cached(response).type('html').send(codes));
  addPage(
    router,
    '/problems/:code',
    (request, response) => {
      if (!isProblem(request)) throw new Problem('not-found');
      cached(response)
        .type('html')
        .send(problemPage(request.params.code as ProblemCode));
    },
    isProblem,
  );
  return router;
}

function isProblem({ params }: Request): boolean {
  return Object.hasOwn(problems, String(params.code));
}

function guidesRouter(root: string): Router {
  const guides = readGuides(root);
  const index = guidesPage(guides);
  const router = express.Router();
  addPage(router, '/', (_request, response) => void cached(response).type('html').send(index));
  for (const guide of guides) {
    const text = guidePage(guide);
    const below = guide.address.slice('/docs/guides'.length);
    addPage(router, below, (_request, response) => void cached(response).type('html').send(text));
  }
  return router;
}

function cached(response: Response): Response {
  return response.set('Cache-Control', `public, max-age=${cacheSeconds}`);
}
