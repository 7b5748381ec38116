import { providerErrorCodes } from '@notify/channels';
import { messageErrors, type ProblemCode, type ProblemKind, problems } from '@notify/contract';
import { docsLinks } from './guide-pages.ts';
import { type Html, html, page, prose } from './html.ts';

/** The page that a problem's `type` leads to. */
export function problemPage(code: ProblemCode): string {
  const { status, title, help } = problems[code];
  return page(
    `${code} · Notify API`,
    html`${docsLinks}
      <main>
        <h1><code>${code}</code></h1>
        <p>${status} ${title}. ${prose(help)}</p>
        <p><a href="/problems">All error codes</a></p>
      </main>`,
  );
}

/** The page of all error codes. */
export function problemsPage(): string {
  const catalogue: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);
  const refused = catalogue.map(([code, { status, title, help }]) =>
    row(html`<a href="/problems/${code}"><code>${code}</code></a>`, html`${status} ${title}. ${prose(help)}`),
  );
  const failed = Object.entries({ ...messageErrors, ...providerErrorCodes }).map(([code, help]) =>
    row(html`<code>${code}</code>`, html`${prose(help)}`),
  );
  return page(
    'Error codes · Notify API',
    html`${docsLinks}
      <main>
        <h1>Error codes</h1>
        <h2 id="error-responses">Error responses</h2>
        <table>
          ${refused}
        </table>
        <h2 id="failed-messages">Failed messages</h2>
        <p>The <code>errorCode</code> of a message that has failed.</p>
        <table>
          ${failed}
        </table>
      </main>`,
  );
}

function row(code: Html, told: Html): Html {
  return html`<tr>
    <th>${code}</th>
    <td>${told}</td>
  </tr>`;
}
