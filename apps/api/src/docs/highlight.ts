import { type Html, html } from '../http/html.ts';

/** Marks the words of a program by their kind, in the language that a fence names. Other code stays as it is. */
export type Highlight = (code: string, language: string) => Html;

/** Without any marks. */
export const plain: Highlight = (code) => html`${code}`;

/** The classes of the marks begin with it: see style.css. Short, because a page has hundreds of them. */
const classPrefix = 'h-';

/** What is used of highlight.js. Its own types would bring those of browsers into the whole project. */
interface Highlighter {
  newInstance(): Highlighter;
  configure(options: { readonly classPrefix: string }): void;
  registerLanguage(name: string, definition: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(
    code: string,
    options: { readonly language: string; readonly ignoreIllegals: boolean },
  ): { readonly value: string };
}

/** Its languages, by the names that fences give them. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  bash: 'bash',
  js: 'javascript',
  ts: 'javascript',
  json: 'json',
  python: 'python',
  php: 'php',
  go: 'go',
  ruby: 'ruby',
  sql: 'sql',
};

let loading: Promise<Highlight> | null = null;

/**
 * Loads highlight.js (https://highlightjs.org) with the languages of the guides. The first page that is asked for does it,
 * not the start of the api.
 */
export function loadHighlight(): Promise<Highlight> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Highlight> {
  const library = (await partOf('core')) as Highlighter;
  const highlighter = library.newInstance();
  highlighter.configure({ classPrefix });
  for (const [name, language] of Object.entries(languages))
    highlighter.registerLanguage(name, await partOf(`languages/${language}`));
  return (code, name) => {
    if (highlighter.getLanguage(name) === undefined) return plain(code, name);
    return { html: highlighter.highlight(code, { language: name, ignoreIllegals: true }).value };
  };
}

async function partOf(name: string): Promise<unknown> {
  const { default: part } = (await import(`highlight.js/lib/${name}`)) as { readonly default: unknown };
  return part;
}
