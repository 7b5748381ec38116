import type { TelegramOptions } from './telegram-options.ts';

/**
 * The length of a formatted text as Telegram counts it: in UTF-16 code units, after it has read the markup and removed white space at both
 * ends (https://core.telegram.org/bots/api#formatting-options). Of markup that Telegram cannot read, some number. Takes time in proportion
 * to the length of the text.
 */
export function telegramLength(text: string, format: NonNullable<TelegramOptions['format']>): number {
  const read = format === 'html' ? text.replace(html, readHtml) : text.replace(markdown, readMarkdown);
  return read.trim().length;
}

/**
 * A tag, or a character by its name or number. An address may contain `>`. Tags and quotes may go on to the end of the text, so that no
 * character is read twice for an end that does not come.
 */
const html =
  /<(?:[^>"']+|"[^"]*"?|'[^']*'?)*>?|&(?:#(?<decimal>\d{1,7})|#x(?<hex>[\da-f]{1,6})|(?<name>lt|gt|amp|quot)(?![a-z]));?/gi;

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function readHtml(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return named[name.toLowerCase()]!;
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  if (Number.isNaN(code)) return '';
  return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
}

/** In this order: an escaped character, code with its language, code in a line, the address of a link, any other mark. */
const markdown =
  /\\(?<escaped>[\t\n\r -~])|```(?:[^\s`]+(?=\s))?(?:\r?\n)?(?<block>(?:\\[\t\n\r -~]|(?!```)[^])*)(?:```)?|`(?<code>(?:\\[\t\n\r -~]|[^`])*)`?|\]\((?:\\[^]|[^)])*\)?|!(?=\[)|[[\]*_~|>]/g;

const escapes = /\\([\t\n\r -~])/g;

function readMarkdown(_: string, escaped?: string, block?: string, code?: string): string {
  return escaped ?? (block ?? code ?? '').replace(escapes, '$1');
}
