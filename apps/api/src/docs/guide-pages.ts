import { type Guide, type GuideGroup, guideGroups } from './guides.ts';
import { type Html, html } from '../http/html.ts';
import type { Heading, Rendered } from './markdown.ts';
import { linkTo, sitePage } from './site.ts';

/** The page of one of the guides. */
export function guidePage(
  guide: Guide,
  { body, headings }: Rendered,
  guides: readonly Guide[],
  font: string | null,
): string {
  const { title, group } = guide;
  const at = guides.indexOf(guide);
  const contents = contentsOf(headings);
  return sitePage(
    { title, part: '/docs/guides', font },
    html`<p class="group">${group}</p>
      ${contents === null ? html`` : contentsButton}
      <article>${body}</article>
      ${neighbours(guides[at - 1], guides[at + 1])}`,
    { menu: menuOf(guides, guide), ...(contents === null ? {} : { contents }) },
  );
}

/** The list of all guides. */
export function guidesPage(guides: readonly Guide[], font: string | null): string {
  const groups = Map.groupBy(guides, ({ group }) => group);
  return sitePage(
    { title: 'Guides', part: '/docs/guides', font },
    html`<article>
      <h1>Guides</h1>
      <p>
        How to do it, step by step, in several languages. Every field and every answer is in the
        <a href="/docs">API reference</a>.
      </p>
      ${guideGroups.map((group) => cardsOf(group, groups.get(group) ?? []))}
    </article>`,
    { menu: menuOf(guides, null) },
  );
}

function cardsOf(group: GuideGroup, guides: readonly Guide[]): Html {
  if (guides.length === 0) return html``;
  const heading = group === guideGroups[0] ? html`` : html`<h2>${group}</h2>`;
  return html`${heading}
    <ul class="cards">
      ${guides.map(
        ({ address, title, summary }) =>
          html`<li>
            <a href="${address}">${title}</a>
            <p>${summary}</p>
          </li>`,
      )}
    </ul>`;
}

/** All pages by group. It is beside the content, or opens from the top bar where there is no room. */
function menuOf(guides: readonly Guide[], current: Guide | null): Html {
  const groups = Map.groupBy(guides, ({ group }) => group);
  const listOf = (group: GuideGroup): Html => {
    const own = groups.get(group) ?? [];
    if (own.length === 0) return html``;
    const items = own.map((guide) => html`<li>${linkTo(guide.address, guide.title, guide === current)}</li>`);
    return html`<h2>${group}</h2>
      <ul>
        ${items}
      </ul>`;
  };
  return html`<nav id="pages" class="pages" popover aria-label="All guides">${guideGroups.map(listOf)}</nav>`;
}

const contentsButton = html`<button type="button" class="contents-button" popovertarget="contents">
  On this page
</button>`;

/** The headings below the title. Null if there are fewer than two. */
function contentsOf(headings: readonly Heading[]): Html | null {
  const shown = headings.filter(({ depth, isTab }) => !isTab && (depth === 2 || depth === 3));
  if (shown.length < 2) return null;
  return html`<nav id="contents" class="contents" popover aria-labelledby="contents-name">
    <h2 id="contents-name">On this page</h2>
    <ul>
      ${shown.map(
        ({ anchor, words, depth }) => html`<li class="depth-${depth}"><a href="#${anchor}">${words}</a></li>`,
      )}
    </ul>
  </nav>`;
}

function neighbours(previous: Guide | undefined, next: Guide | undefined): Html {
  const link = (guide: Guide | undefined, rel: string, word: string): Html =>
    guide === undefined
      ? html``
      : html`<a rel="${rel}" href="${guide.address}"><span>${word}</span> ${guide.title}</a>`;
  return html`<nav class="neighbours" aria-label="Previous and next">
    ${link(previous, 'prev', 'Previous')} ${link(next, 'next', 'Next')}
  </nav>`;
}
