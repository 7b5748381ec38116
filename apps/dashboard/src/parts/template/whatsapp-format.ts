/** How WhatsApp draws a stretch of text. */
export type Style = 'bold' | 'italic' | 'strike' | 'code';

/** A stretch of text with its styles, outermost first. */
export interface Styled {
  readonly text: string;
  readonly styles: readonly Style[];
}

/** The marks of WhatsApp: https://faq.whatsapp.com/539178204879377. Three backticks come before one. */
const marks: readonly (readonly [mark: string, style: Style])[] = [
  ['```', 'code'],
  ['`', 'code'],
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strike'],
];

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Splits a text at WhatsApp's marks, which are left out. Marks without a partner stay part of the text. */
export function readMarks(text: string, styles: readonly Style[] = []): Styled[] {
  const found = firstPair(text);
  if (found === null) return text === '' ? [] : [{ text, styles }];
  const { start, end, mark, style } = found;
  const inside = text.slice(start + mark.length, end);
  const within = [...styles, style];
  return [
    ...(start === 0 ? [] : [{ text: text.slice(0, start), styles }]),
    ...(style === 'code' ? [{ text: inside, styles: within }] : readMarks(inside, within)),
    ...readMarks(text.slice(end + mark.length), styles),
  ];
}

interface Pair {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
  readonly style: Style;
}

function firstPair(text: string): Pair | null {
  for (let start = 0; start < text.length; start += 1) {
    const opened = marks.find(([mark]) => text.startsWith(mark, start));
    if (opened === undefined) continue;
    const [mark, style] = opened;
    const end = endOf(text, start, mark);
    if (end !== null) return { start, end, mark, style };
  }
  return null;
}

/** The place of the mark that closes the one at `start`: on its line, beside no space, and not inside a word. */
function endOf(text: string, start: number, mark: string): number | null {
  const first = start + mark.length;
  if (letterOrDigit.test(text[start - 1] ?? '') || /\s/.test(text[first] ?? ' ')) return null;
  for (let end = text.indexOf(mark, first + 1); end !== -1; end = text.indexOf(mark, end + 1)) {
    if (mark !== '```' && text.slice(first, end).includes('\n')) return null;
    const isEnd = !/\s/.test(text[end - 1]!) && !letterOrDigit.test(text[end + mark.length] ?? '');
    if (isEnd) return end;
  }
  return null;
}
