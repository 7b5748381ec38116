import { Marked, type Token, type Tokens } from 'marked';
import { type Html, html } from './html.ts';

/** A Markdown text as HTML, and what a list of pages shows of it. */
export interface Rendered {
  /** The text of its first heading. */
  readonly title: string;
  /** The text of its first paragraph. */
  readonly summary: string;
  readonly body: Html;
}

/** Where a link leads, given as the text writes it. Null for a page that is not served: its words stay, as text. */
export type AddressOf = (href: string) => string | null;

/**
 * Renders GitHub Flavored Markdown. HTML in the text is shown as text, comments are left out, and nothing is loaded: an
 * image is its description. Headings have the anchors that GitHub gives them.
 */
export function renderMarkdown(text: string, addressOf: AddressOf): Rendered {
  const marked = new Marked({ gfm: true });
  const anchors = new Map<string, number>();
  marked.use({
    renderer: {
      html: ({ text: raw }) => (/^<!--[\s\S]*-->\s*$/.test(raw) ? '' : html`${raw}`.html),
      image: ({ text: description }) => html`${description}`.html,
      heading({ tokens, depth }) {
        const anchor = unique(anchorOf(wordsOf(tokens)), anchors);
        const inner = { html: this.parser.parseInline(tokens) };
        const link = html`<a href="#${anchor}">${inner}</a>`;
        return `<h${depth} id="${anchor}">${(depth === 1 ? inner : link).html}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const inner = { html: this.parser.parseInline(tokens) };
        const address = addressOf(href);
        return (address === null ? inner : html`<a href="${address}">${inner}</a>`).html;
      },
      code({ text: code, lang = '' }) {
        const [, file] = lang.split(' ');
        const caption = file === undefined ? html`` : html`<figcaption>${file}</figcaption>`;
        return html`<figure>
          ${caption}
          <pre tabindex="0"><code>${code}</code></pre>
        </figure>`.html;
      },
      table(token) {
        const [head, ...rows] = [token.header, ...token.rows].map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => cellOf(cell, this.parser.parseInline(cell.tokens)))}
            </tr>`,
        );
        return html`<div class="table" tabindex="0">
          <table>
            <thead>
              ${head}
            </thead>
            <tbody>
              ${rows}
            </tbody>
          </table>
        </div>`.html;
      },
    },
  });
  const tokens = marked.lexer(text);
  return {
    title: wordsOf(first(tokens, 'heading')),
    summary: wordsOf(first(tokens, 'paragraph')),
    body: { html: marked.parser(tokens) },
  };
}

function cellOf({ header }: Tokens.TableCell, inner: string): Html {
  return header ? html`<th>${{ html: inner }}</th>` : html`<td>${{ html: inner }}</td>`;
}

/** The tokens of the first block of this type. None if there is no such block. */
function first(tokens: readonly Token[], type: 'heading' | 'paragraph'): readonly Token[] {
  const block = tokens.find((token) => token.type === type) as Tokens.Heading | Tokens.Paragraph | undefined;
  return block?.tokens ?? [];
}

/** The words of a line without its markup. */
function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text = '' } = token as { readonly tokens?: Token[]; readonly text?: string };
      return inner === undefined ? text : wordsOf(inner);
    })
    .join('');
}

/** The anchor that GitHub makes of a heading: letters, digits, `-` and `_`, with dashes for spaces. */
function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** Headings of the same words are numbered from the second one on. */
function unique(anchor: string, seen: Map<string, number>): string {
  const count = seen.get(anchor) ?? 0;
  seen.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}
