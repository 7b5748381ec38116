import { readdirSync } from 'node:fs';
import path from 'node:path';
import { plain } from './highlight.ts';
import { type Html, html } from '../http/html.ts';
import { renderMarkdown } from './markdown.ts';
import type { OpenApi } from './openapi/openapi.ts';
import { type Place, placesIn } from './places.ts';
import { builtLinks, fontFace, sitePage, topBar } from './site.ts';

/** The built files that the API reference loads, as addresses. */
export interface ReferenceFiles {
  /** Scalar, which renders `/openapi.json`. */
  readonly script: string;
  /** The font of the dashboard. */
  readonly font: string;
}

/** Finds the files in the output folder of `npm run dashboard`; null if they are not built. */
export function referenceFilesIn(folder: string): ReferenceFiles | null {
  const names = namesIn(path.join(folder, 'assets'));
  const script = names.find((name) => /^api-reference-\w+\.js$/.test(name));
  const font = names.find((name) => /^inter-latin-.*\.woff2$/.test(name));
  if (script === undefined || font === undefined) return null;
  return { script: `/assets/${script}`, font: `/assets/${font}` };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * How Scalar shows the document (https://github.com/scalar/scalar, documentation/configuration.md). Everything that
 * would ask another host is off: fonts, telemetry, the proxy of requests, and the services for agents and sharing.
 */
const configuration = {
  url: '/openapi.json',
  favicon: '/favicon.svg',
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  hideSearch: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    dart: true,
    fsharp: true,
    http: true,
    julia: true,
    kotlin: true,
    objc: true,
    ocaml: true,
    powershell: true,
    r: true,
    swift: true,
  },
  modelsSectionLabel: 'Schemas',
  orderSchemaPropertiesBy: 'preserve',
};

/**
 * Allows content from this host only. Scalar makes style elements and attributes as it draws, and gives a nonce to only one
 * of them, so inline styles are allowed. They can load nothing from elsewhere either.
 */
export const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/**
 * The API reference. Until Scalar has drawn it, the page shows the introduction and the list of all operations, which are also
 * what a browser without scripts shows.
 */
export function referencePage({ script, font }: ReferenceFiles, api: OpenApi): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Notify API</title>
        <link rel="stylesheet" href="/docs/reference.css" />
        ${builtLinks(font)}
        <link rel="preload" as="script" href="${script}" />
        <link rel="preload" as="fetch" crossorigin href="/openapi.json" />
        <style>
          ${{ html: fontFace(font) }}
        </style>
        <script src="/docs/search.js" defer></script>
      </head>
      <body>
        ${topBar('/docs')} ${untilDrawn(api)}
        <script id="api-reference" data-configuration="${JSON.stringify(configuration)}"></script>
        <script src="${script}"></script>
      </body>
    </html> `.html;
}

/** What can be read before anything is loaded. It goes when Scalar has drawn the same: see reference.css. */
function untilDrawn(api: OpenApi): Html {
  const { body } = renderMarkdown(api.info.description.replaceAll(/^#/gm, '##'), {
    addressOf: (href) => href,
    operationAt: () => null,
    highlight: plain,
  });
  const places = Map.groupBy(placesIn(api), ({ tag }) => tag);
  return html`<main id="content" class="until-drawn" tabindex="-1">
    <h1>${api.info.title} API</h1>
    <noscript><p>Requests can be tried here only with JavaScript.</p></noscript>
    ${body}
    ${api.tags.map(({ name, description = '' }) => operationsOf(name, description, places.get(name) ?? []))}
  </main>`;
}

function operationsOf(tag: string, description: string, places: readonly Place[]): Html {
  const [sentence = ''] = description.split('\n');
  return html`<h2>${tag}</h2>
    <p>${sentence}</p>
    <ul>
      ${places.map(
        ({ method, name, summary }) => html`<li><code>${method ?? ''} ${name}</code> ${summary}</li>`,
      )}
    </ul>`;
}

/** Says how to get the API reference. */
export function missingPage(): string {
  return sitePage(
    { title: 'API reference', part: '/docs', font: null },
    html`<article>
      <h1>API reference</h1>
      <p>
        The API reference is not built here. Build it with <code>npm run dashboard</code>, then load this page
        again. Until then, use <a href="/openapi.json">openapi.json</a>.
      </p>
    </article>`,
  );
}
