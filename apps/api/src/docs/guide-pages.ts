import { type Guide, type GuideGroup, guideGroups } from './guides.ts';
import { type Html, html, page } from './html.ts';

/** The links at the top of every page of the documentation. */
export const docsLinks: Html = html`<nav class="docs-links" aria-label="Documentation">
  <a href="/docs/guides">Guides</a> <a href="/docs">API reference</a> <a href="/problems">Error codes</a>
  <a href="/openapi.json">openapi.json</a>
</nav>`;

/** The page of one guide. */
export function guidePage({ title, body }: Guide): string {
  return page(
    `${title} · Notify`,
    html`${docsLinks}
      <main>${body}</main>`,
  );
}

/** The list of all guides. */
export function guidesPage(guides: readonly Guide[]): string {
  const groups = Map.groupBy(guides, ({ group }) => group);
  return page(
    'Guides · Notify',
    html`${docsLinks}
      <main>
        <h1>Guides</h1>
        ${guideGroups.map((group) => listOf(group, groups.get(group) ?? []))}
      </main>`,
  );
}

function listOf(group: GuideGroup, guides: readonly Guide[]): Html {
  if (guides.length === 0) return html``;
  const heading = group === guideGroups[0] ? html`` : html`<h2>${group}</h2>`;
  return html`${heading}
    <dl>
      ${guides.map(
        ({ address, title, summary }) =>
          html`<dt><a href="${address}">${title}</a></dt>
            <dd>${summary}</dd>`,
      )}
    </dl>`;
}
