import type { Token, Tokens } from 'marked';

/** A part of a text: blocks one below the other, or alternatives of which a reader wants one. */
export type Part =
  | { readonly kind: 'blocks'; readonly tokens: Token[] }
  | { readonly kind: 'tabs'; readonly panels: readonly Panel[] };

/** One of several alternatives. */
export interface Panel {
  /** Such as `Python`. The same word in all guides, so that a choice holds for all of them. */
  readonly label: string;
  /** Begins with its heading, if the text has one. */
  readonly tokens: Token[];
}

/** Headings that name a way to do the same thing. */
const ways: readonly string[] = ['curl', 'CLI', 'JavaScript', 'Python', 'PHP', 'Go', 'Ruby', 'Shell'];

/** Languages of code blocks, as fences name them. */
const languages: ReadonlyMap<string, string> = new Map([
  ['js', 'JavaScript'],
  ['python', 'Python'],
  ['php', 'PHP'],
  ['go', 'Go'],
  ['ruby', 'Ruby'],
]);

/**
 * Finds what is shown as tabs. The text needs no syntax for it, so a code host shows the same one below the other:
 *
 * - headings in a row that each name a language or a tool (`### curl`, `### Python`), with what is below them;
 * - blocks of code in a row, each in another language or for another tool.
 */
export function partsOf(tokens: readonly Token[]): readonly Part[] {
  const parts: Part[] = [];
  let rest = tokens;
  while (rest.length > 0) {
    const found = sectionsAt(rest) ?? codesAt(rest);
    const used = found?.used ?? 1;
    if (found !== null) parts.push({ kind: 'tabs', panels: found.panels });
    else addBlock(parts, rest[0]!);
    rest = rest.slice(used);
  }
  return parts;
}

function addBlock(parts: Part[], token: Token): void {
  const last = parts.at(-1);
  if (last?.kind === 'blocks') last.tokens.push(token);
  else parts.push({ kind: 'blocks', tokens: [token] });
}

interface Found {
  readonly panels: readonly Panel[];
  /** How many tokens they are made of. */
  readonly used: number;
}

/** Sections whose headings name ways, at the beginning of these tokens. Null unless there are at least two. */
function sectionsAt(tokens: readonly Token[]): Found | null {
  const [first] = tokens;
  if (!isHeading(first)) return null;
  const panels: Panel[] = [];
  let used = 0;
  for (;;) {
    const heading = tokens[used];
    if (!isHeading(heading) || heading.depth !== first.depth || !ways.includes(heading.text)) break;
    const next = tokens.findIndex(
      (token, at) => at > used && isHeading(token) && token.depth <= heading.depth,
    );
    const end = next < 0 ? tokens.length : next;
    panels.push({ label: heading.text, tokens: tokens.slice(used, end) });
    used = end;
  }
  return panels.length > 1 ? { panels, used } : null;
}

/** Code for different ways, at the beginning of these tokens. Null unless there are at least two. */
function codesAt(tokens: readonly Token[]): Found | null {
  const panels: Panel[] = [];
  let used = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'space') continue;
    const label = isCode(token) ? wayOf(token) : null;
    if (label === null || panels.some((panel) => panel.label === label)) break;
    panels.push({ label, tokens: [token] });
    used = at + 1;
  }
  return panels.length > 1 ? { panels, used } : null;
}

/** Null for code that is no program, such as an answer. */
function wayOf({ lang = '', text }: Tokens.Code): string | null {
  const [language = ''] = lang.split(' ');
  if (language !== 'sh' && language !== 'bash') return languages.get(language) ?? null;
  if (/^notifyctl /m.test(text)) return 'CLI';
  return /\bcurl /.test(text) ? 'curl' : null;
}

function isHeading(token: Token | undefined): token is Tokens.Heading {
  return token?.type === 'heading';
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
