import { type Html, html, page } from '../http/html.ts';

/** The parts of the documentation, as the top bar names them. */
const parts = [
  ['/docs/guides', 'Guides'],
  ['/docs', 'API reference'],
  ['/problems', 'Error codes'],
  ['/openapi.json', 'openapi.json'],
] as const;
export type Part = (typeof parts)[number][0];

/** What the content of a page is put into. */
export interface Frame {
  /** Without the name of the product. */
  readonly title: string;
  /** The part that the page belongs to; null for none. */
  readonly part: Part | null;
  /** The address of the dashboard's font; null where the dashboard is not built. */
  readonly font: string | null;
}

/** Allows scripts, styles, pictures and data from this host only, and none inside of the page. */
export const sitePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join(';');

/**
 * The bar at the top of every page of the documentation. The search in it, and the choice of colours, are made by
 * scripts: search.js, guides.js. `before` comes first.
 */
export function topBar(current: Part | null, before: Html = html``): Html {
  return html`<a class="skip" href="#content">Skip to the content</a>
    <header class="top-bar">
      ${before}
      <a class="brand" href="/"
        ><img src="/favicon.svg" width="24" height="24" alt="" /><span>Notify</span></a
      >
      <nav class="docs-links" aria-label="Documentation">
        ${parts.map(([address, name]) => linkTo(address, name, address === current))}
      </nav>
      <div class="search" role="search"></div>
      <div class="tools"><a class="to-dashboard" href="/">Dashboard</a></div>
    </header>`;
}

/** A link that is marked if it leads to the page it is on, or to the part that this page belongs to. */
export function linkTo(address: string, name: string, isCurrent: boolean): Html {
  if (isCurrent) return html`<a href="${address}" aria-current="page">${name}</a>`;
  return html`<a href="${address}">${name}</a>`;
}

/** A page of the documentation. `beside` is what stands left and right of the content. */
export function sitePage({ title, part, font }: Frame, content: Html, beside: Beside = {}): string {
  const head = html`${builtLinks(font)}
    <script src="/docs/guides.js"></script>
    <script src="/docs/search.js" defer></script>`;
  const { menu, contents } = beside;
  return page(
    `${title} · Notify`,
    html`${topBar(part, menu === undefined ? html`` : menuButton)}
      <div class="columns${menu === undefined ? ' single' : ''}">
        ${menu ?? html``}
        <main id="content" tabindex="-1">${content}</main>
        ${contents ?? html``}
      </div>`,
    head,
  );
}

/** What stands beside the content. */
export interface Beside {
  /** The list of pages, an element with the id `pages`. */
  readonly menu?: Html;
  /** The headings of this page. */
  readonly contents?: Html;
}

/** On narrow screens it opens the list of pages, which needs no script. */
const menuButton = html`<button
  type="button"
  class="menu-button"
  popovertarget="pages"
  aria-label="All guides"
>
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path
      d="M3 5h14M3 10h14M3 15h14"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
    />
  </svg>
</button>`;

/**
 * What a page loads of the built dashboard: its icon, and its font, at once, for that is known only after the style sheet.
 * Nothing where the dashboard is not built.
 */
export function builtLinks(font: string | null): Html {
  if (font === null) return html``;
  return html`<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <link rel="preload" as="font" type="font/woff2" crossorigin href="${font}" />`;
}

/** The style that names the font; empty where the dashboard is not built. */
export function fontFace(font: string | null): string {
  if (font === null) return '';
  return `@font-face {
  font-family: 'Inter Variable';
  font-weight: 100 900;
  font-display: optional;
  src: url('${font}') format('woff2-variations');
}
`;
}
