import { Marked, type MarkedExtension, type Parser, type Token, type Tokens } from 'marked';
import type { Highlight } from './highlight.ts';
import { type Html, html } from '../http/html.ts';
import { type Panel, partsOf } from './tabs.ts';
import { textOf, wordsOf } from './words.ts';

/** A Markdown text as HTML, and what the page around it shows of it. */
export interface Rendered {
  readonly body: Html;
  readonly headings: readonly Heading[];
}

/** What a list of pages shows of a text. */
export interface Head {
  /** The text of its first heading. */
  readonly title: string;
  /** The text of its first paragraph. */
  readonly summary: string;
}

/** A heading of a text. */
export interface Heading {
  readonly anchor: string;
  readonly words: string;
  /** 1 to 6. */
  readonly depth: number;
  /** It names one of several alternatives. */
  readonly isTab: boolean;
}

/** A heading with the words below it, without code. */
export type Section = Pick<Heading, 'anchor' | 'words' | 'depth'> & { readonly text: string };

/** What a text is rendered with. */
export interface Surroundings {
  /** Where a link leads, given as the text writes it. Null for a page that is not served: its words stay, as text. */
  readonly addressOf: (href: string) => string | null;
  /** Where an operation is described, given as guides write it, such as `GET /v1/messages`. Null if it is none. */
  readonly operationAt: (words: string) => string | null;
  readonly highlight: Highlight;
}

/**
 * Renders GitHub Flavored Markdown. HTML in the text is shown as text, comments are left out, and nothing is loaded: an
 * image is its description. Headings have the anchors that GitHub gives them.
 */
export function renderMarkdown(text: string, surroundings: Surroundings): Rendered {
  const anchorOf = anchorMaker();
  const headings: Heading[] = [];
  let isTab = false;
  const add = (words: string, depth: number): string => {
    const anchor = anchorOf(words);
    headings.push({ anchor, words, depth, isTab });
    return anchor;
  };
  const marked = new Marked({ gfm: true });
  marked.use({ renderer: rendererWith(surroundings, add) });
  const inOrder = (tokens: Token[]): Html => ({ html: marked.parser(tokens) });
  const panelOf = ({ label, tokens }: Panel): Html => {
    const name = tokens[0]?.type === 'heading' ? html`` : html`<p class="way">${label}</p>`;
    return html`<section data-label="${label}">${name}${inOrder(tokens)}</section>`;
  };
  const body = partsOf(marked.lexer(text)).map((part) => {
    if (part.kind === 'blocks') return inOrder(part.tokens);
    isTab = true;
    const panels = part.panels.map(panelOf);
    isTab = false;
    return html`<div class="tabs">${panels}</div>`;
  });
  return { body: html`${body}`, headings };
}

/** What differs from marked's own HTML. `addHeading` answers the anchor of a heading. */
function rendererWith(
  { addressOf, operationAt, highlight }: Surroundings,
  addHeading: (words: string, depth: number) => string,
): NonNullable<MarkedExtension['renderer']> {
  let isLink = false;
  const linkText = (parser: Parser, tokens: Token[]): Html => {
    isLink = true;
    const inner = { html: parser.parseInline(tokens) };
    isLink = false;
    return inner;
  };
  return {
    html: ({ text: raw }) => (/^<!--[\s\S]*-->\s*$/.test(raw) ? '' : html`${raw}`.html),
    image: ({ text: description }) => html`${description}`.html,
    heading({ tokens, depth }) {
      const anchor = addHeading(wordsOf(tokens), depth);
      const inner = linkText(this.parser, tokens);
      const link = html`<a href="#${anchor}">${inner}</a>`;
      return `<h${depth} id="${anchor}">${(depth === 1 ? inner : link).html}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = linkText(this.parser, tokens);
      const address = addressOf(href);
      return (address === null ? inner : html`<a href="${address}">${inner}</a>`).html;
    },
    codespan({ text: words }) {
      const address = isLink ? null : operationAt(words);
      const code = html`<code>${words}</code>`;
      return (address === null ? code : html`<a class="operation" href="${address}">${code}</a>`).html;
    },
    code: (token) => figureOf(token, highlight).html,
    table({ header, rows }) {
      const rowOf = (cells: Tokens.TableCell[]): Html =>
        html`<tr>
          ${cells.map((cell) => cellOf(cell, this.parser.parseInline(cell.tokens)))}
        </tr>`;
      return html`<div class="table" tabindex="0">
        <table>
          <thead>
            ${rowOf(header)}
          </thead>
          <tbody>
            ${rows.map(rowOf)}
          </tbody>
        </table>
      </div>`.html;
    },
  };
}

/** Reads the title and the summary, and nothing behind them. */
export function headOf(text: string): Head {
  const [beginning = ''] = text.split(/^## /m);
  const tokens = new Marked({ gfm: true }).lexer(beginning);
  return { title: wordsOf(first(tokens, 'heading')), summary: wordsOf(first(tokens, 'paragraph')) };
}

/** The sections of a text, each with its own words. */
export function sectionsOf(text: string): readonly Section[] {
  const anchors = anchorMaker();
  const sections: Section[] = [];
  for (const token of new Marked({ gfm: true }).lexer(text)) {
    const last = sections.at(-1);
    if (token.type === 'heading') {
      const words = wordsOf(token.tokens ?? []);
      sections.push({ anchor: anchors(words), words, depth: (token as Tokens.Heading).depth, text: '' });
    } else if (last !== undefined)
      sections[sections.length - 1] = { ...last, text: `${last.text} ${textOf(token)}`.trim() };
  }
  return sections;
}

/** What is shown above code without the name of a file. */
const languageNames: Readonly<Record<string, string>> = { json: 'JSON', sh: 'Shell', text: 'Output' };

function figureOf({ text: code, lang = '' }: Tokens.Code, highlight: Highlight): Html {
  const [language = '', file] = lang.split(' ');
  const name = file ?? languageNames[language];
  const caption = name === undefined ? html`` : html`<figcaption>${name}</figcaption>`;
  return html`<figure>
    ${caption}
    <pre tabindex="0"><code>${highlight(code, language)}</code></pre>
  </figure>`;
}

function cellOf({ header }: Tokens.TableCell, inner: string): Html {
  return header ? html`<th>${{ html: inner }}</th>` : html`<td>${{ html: inner }}</td>`;
}

/** The tokens of the first block of this type. None if there is no such block. */
function first(tokens: readonly Token[], type: 'heading' | 'paragraph'): readonly Token[] {
  const block = tokens.find((token) => token.type === type) as Tokens.Heading | Tokens.Paragraph | undefined;
  return block?.tokens ?? [];
}

/**
 * Makes the anchors that GitHub makes of headings: letters, digits, `-` and `_`, with dashes for spaces. Headings of the
 * same words are numbered from the second one on.
 */
function anchorMaker(): (words: string) => string {
  const seen = new Map<string, number>();
  return (words) => {
    const anchor = words
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}
