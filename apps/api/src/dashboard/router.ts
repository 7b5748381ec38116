import type { Settings } from '@notify/runtime';
import express, { type Request, type Response, type Router } from 'express';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { addPage, asksForPage } from '../http/page.ts';
import { html, page } from '../http/html.ts';
import { type DashboardFile, type DashboardFiles, type Encoding, readDashboard } from './files.ts';

/** The output folder of `npm run dashboard`. */
export const builtDashboard = path.resolve(import.meta.dirname, '../../../dashboard/dist');

/** The first segments of the dashboard's own paths, which all answer the same page. */
const views =
  'overview|channels|conversations|messages|groups|keys|tokens|verifications|webhooks|settings|login|register|forgot-password|reset-password|verify-email';
const viewPaths = new RegExp(`^/(?:(?:${views})(?:/.*)?)?$`);
/** Below these, a wrong path is answered with a problem, not with a page. */
const programPaths = /^\/(?:v1|auth|tenant|callbacks|problems|docs|assets)(?:\/|$)/;
/** Placeholders that the build leaves in the page. Each answer replaces them. */
const noncePlaceholder = '__CSP_NONCE__';
const installationPlaceholder = '__INSTALLATION__';
const yearSeconds = 31_536_000;
const hourSeconds = 3_600;

/** What the dashboard shows of the settings of the installation, also to somebody who is not logged in. */
export type Installation = Pick<Settings, 'registration' | 'trialEnforcement' | 'trialDays' | 'maxFileBytes'>;

/**
 * The dashboard: its page under each of its paths, and the files that `npm run dashboard` made in `folder`. The first
 * request reads them into memory. If nothing is built, the page says which command to run. A browser that opens any
 * other path gets the page with status 404, and the page says that there is nothing.
 */
export function dashboardRouter(installation: Installation, folder: string = builtDashboard): Router {
  const facts = inAttribute(installation);
  let built: DashboardFiles | null = null;
  const router = express.Router({ caseSensitive: true });
  addPage(router, viewPaths, (_request, response) => {
    built ??= readDashboard(folder);
    if (built === null) sendHint(response);
    else sendPage(response, built.page, facts);
  });
  const fileOf = ({ path: at }: Request): DashboardFile | undefined => {
    built ??= readDashboard(folder);
    return built?.files.get(at);
  };
  addPage(
    router,
    /^\/(?:assets\/[\w.-]+|[\w-]+\.(?:svg|png|txt))$/,
    (request, response, next) => {
      const file = fileOf(request);
      if (file === undefined) next();
      else sendFile(request, response, file);
    },
    (request) => fileOf(request) !== undefined,
  );
  router.use((request, response, next) => {
    built ??= readDashboard(folder);
    if (built === null || !asksForPage(request) || !isOpenedInBrowser(request)) next();
    else sendPage(response.status(404), built.page, facts);
  });
  return router;
}

/** Browsers prefer HTML when they open a page. Programs and scripts take anything, or JSON. */
function isOpenedInBrowser(request: Request): boolean {
  return !programPaths.test(request.path) && request.accepts(['json', 'html']) === 'html';
}

/**
 * Sends the page with a fresh nonce. A nonce is valid for one answer only, so caches must not store the page (CSP 3,
 * 7.1).
 */
function sendPage(response: Response, text: string, facts: string): void {
  const nonce = randomBytes(18).toString('base64');
  response.set({ 'Content-Security-Policy': contentSecurityPolicy(nonce), 'Cache-Control': 'no-store' });
  response
    .type('html')
    .send(text.replaceAll(noncePlaceholder, nonce).replaceAll(installationPlaceholder, () => facts));
}

/** JSON between the quotes of an attribute. */
function inAttribute({ registration, trialEnforcement, trialDays, maxFileBytes }: Installation): string {
  const json = JSON.stringify({ registration, trialEnforcement, trialDays, maxFileBytes });
  return json.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}

/** Allows content from this host only. An inline style also needs the nonce. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';');
}

function sendFile(request: Request, response: Response, file: DashboardFile): void {
  const wanted = request.acceptsEncodings([...file.packed.keys(), 'identity']);
  const encoding = wanted === false || wanted === 'identity' ? null : (wanted as Encoding);
  const age = file.isNamedByContent ? `max-age=${yearSeconds}, immutable` : `max-age=${hourSeconds}`;
  response.set({ 'Cache-Control': `public, ${age}`, 'Content-Type': file.type });
  if (file.packed.size > 0) response.vary('Accept-Encoding');
  if (encoding !== null) response.set('Content-Encoding', encoding);
  response.send(encoding === null ? file.plain : file.packed.get(encoding));
}

function sendHint(response: Response): void {
  response.set('Cache-Control', 'no-store');
  response.type('html').send(
    page(
      'Notify',
      html`<main>
        <h1>Notify</h1>
        <p>
          The dashboard is not built here. Build it with <code>npm run dashboard</code>, then load this page
          again.
        </p>
        <p><a href="/docs">API documentation</a></p>
      </main>`,
    ),
  );
}
