import { providerErrorCodes } from '@notify/channels';
import { messageErrors, type ProblemCode, type ProblemKind, problems } from '@notify/contract';
import { type Html, html, prose } from '../http/html.ts';
import { sitePage } from './site.ts';

/** The page that a problem's `type` leads to. */
export function problemPage(code: ProblemCode, font: string | null): string {
  const { status, title, help } = problems[code];
  return sitePage(
    { title: code, part: '/problems', font },
    html`<article>
      <p class="group">Error code</p>
      <h1><code>${code}</code></h1>
      <p>${status} ${title}. ${prose(help)}</p>
      <p>
        <a href="/problems">All error codes</a> ·
        <a href="/docs/guides/errors-and-retries">Errors and retries</a>
      </p>
    </article>`,
  );
}

/** The page of all error codes. */
export function problemsPage(font: string | null): string {
  const catalogue: readonly (readonly [string, ProblemKind])[] = Object.entries(problems);
  const refused = catalogue.map(([code, { status, title, help }]) =>
    row(html`<a href="/problems/${code}"><code>${code}</code></a>`, html`${status} ${title}. ${prose(help)}`),
  );
  const failed = Object.entries({ ...messageErrors, ...providerErrorCodes }).map(([code, help]) =>
    row(html`<code id="${code}">${code}</code>`, html`${prose(help)}`),
  );
  return sitePage(
    { title: 'Error codes', part: '/problems', font },
    html`<article>
      <h1>Error codes</h1>
      <p>
        The <code>code</code> of a response, and the <code>errorCode</code> of a message.
        <a href="/docs/guides/errors-and-retries">Errors and retries</a> says what to repeat.
      </p>
      <h2 id="error-responses">Error responses</h2>
      <table class="codes">
        ${refused}
      </table>
      <h2 id="failed-messages">Failed messages</h2>
      <p>The <code>errorCode</code> of a message that has failed.</p>
      <table class="codes">
        ${failed}
      </table>
    </article>`,
  );
}

function row(code: Html, told: Html): Html {
  return html`<tr>
    <th scope="row">${code}</th>
    <td>${told}</td>
  </tr>`;
}
