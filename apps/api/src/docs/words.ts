import type { Token, Tokens } from 'marked';

/** The words of a line without its markup. */
export function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text = '' } = token as { readonly tokens?: Token[]; readonly text?: string };
      return inner === undefined ? text : wordsOf(inner);
    })
    .join('');
}

/** The words of a block, on one line. None of code. */
export function textOf(token: Token): string {
  switch (token.type) {
    case 'code':
    case 'html':
    case 'space':
      return '';
    case 'list':
      return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.map(textOf)).join(' ');
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].flatMap((cells) => cells.map(({ tokens }) => wordsOf(tokens))).join(' ');
    }
    case 'blockquote':
      return ((token as Tokens.Blockquote).tokens ?? []).map(textOf).join(' ');
    default:
      return wordsOf([token]).replaceAll(/\s+/g, ' ');
  }
}
