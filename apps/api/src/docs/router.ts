import { type ProblemCode, problems } from '@notify/contract';
import express, { type Request, type Router } from 'express';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { builtDashboard } from '../dashboard/router.ts';
import { addPage } from '../http/page.ts';
import { Problem } from '../problems/problem.ts';
import type { Route } from '../http/route.ts';
import { guidePage, guidesPage } from './guide-pages.ts';
import { type Guide, installation, readGuides } from './guides.ts';
import { loadHighlight } from './highlight.ts';
import { describeApi } from './openapi/openapi.ts';
import { operationFinder, type Place, placesIn } from './places.ts';
import { problemPage, problemsPage } from './problem-pages.ts';
import { missingPage, referenceFilesIn, referencePage, referencePolicy } from './reference-page.ts';
import { searchEntries } from './search-index.ts';
import { addDocument, cached, type Document, send } from './served.ts';
import { fontFace, sitePolicy } from './site.ts';

/** Where the documents are that the api serves. */
export interface DocsFolders {
  /** Into which `npm run dashboard` puts the renderer of the reference, and the font. */
  readonly dashboard?: string;
  /** With `docs/guides`. */
  readonly root?: string;
}

/**
 * `/openapi.json`, the API reference at `/docs`, the guides below `/docs/guides`, what they search, and the pages of the error
 * codes. No page loads anything from another host. Pages are made when they are asked for first, and kept.
 */
export function docsRouter(
  routes: readonly Route[],
  { dashboard = builtDashboard, root = installation }: DocsFolders = {},
): Router {
  const api = describeApi(routes, manifest.version);
  const places = placesIn(api);
  const guides = readGuides(root);
  const font = referenceFilesIn(dashboard)?.font ?? null;
  const router = express.Router();
  addDocument(router, '/openapi.json', 'json', () => JSON.stringify(api));
  addReference(router, dashboard, (files) => referencePage(files, api));
  addDocument(router, '/docs/style.css', 'css', () => fontFace(font) + styles('top-bar.css', 'style.css'));
  addDocument(router, '/docs/reference.css', 'css', () => styles('top-bar.css', 'reference.css'));
  for (const name of ['guides.js', 'search.js'])
    addDocument(router, `/docs/${name}`, 'js', () => fileOf(`browser/${name}`));
  addDocument(router, '/docs/search.json', 'json', () => JSON.stringify(searchEntries(guides, places)));
  addGuides(router, guides, places, font);
  addProblems(router, font);
  return router;
}

/** The page is looked for again until the dashboard is built. */
function addReference(
  router: Router,
  folder: string,
  pageWith: (files: NonNullable<ReturnType<typeof referenceFilesIn>>) => string,
): void {
  let page: Document | null = null;
  addPage(router, '/docs', (request, response) => {
    const files = page === null ? referenceFilesIn(folder) : null;
    if (files !== null) page = { text: pageWith(files) };
    if (page === null) {
      response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': sitePolicy });
      response.type('html').send(missingPage());
    } else send(request, cached(response).set('Content-Security-Policy', referencePolicy), 'html', page);
  });
}

function addGuides(
  router: Router,
  guides: readonly Guide[],
  places: readonly Place[],
  font: string | null,
): void {
  const operationAt = operationFinder(places);
  addDocument(router, '/docs/guides', 'html', () => guidesPage(guides, font));
  for (const guide of guides)
    addDocument(router, guide.address, 'html', async () => {
      const rendered = guide.render({ operationAt, highlight: await loadHighlight() });
      return guidePage(guide, rendered, guides, font);
    });
}

function addProblems(router: Router, font: string | null): void {
  addDocument(router, '/problems', 'html', () => problemsPage(font));
  addPage(
    router,
    '/problems/:code',
    (request, response) => {
      if (!isProblem(request)) throw new Problem('not-found');
      const text = problemPage(request.params.code as ProblemCode, font);
      send(request, cached(response).set('Content-Security-Policy', sitePolicy), 'html', { text });
    },
    isProblem,
  );
}

function isProblem({ params }: Request): boolean {
  return Object.hasOwn(problems, String(params.code));
}

function styles(...names: readonly string[]): string {
  return names.map(fileOf).join('');
}

function fileOf(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}
