import type { Refusal } from './chats.ts';

/** A text without its markup. */
export interface Unmarked {
  readonly text: string;
}

/**
 * Reads a text as its `parse_mode` says, without white space at both ends, or refuses it in Telegram's words (Bot API, "Formatting
 * options").
 */
export function readMarkup(text: string, mode: string | undefined): Unmarked | Refusal {
  const read = readAs(text, mode);
  return 'code' in read ? read : { text: read.text.trim() };
}

function readAs(text: string, mode: string | undefined): Unmarked | Refusal {
  switch (mode?.toLowerCase()) {
    case undefined:
      return { text };
    case 'html':
      return readHtml(text);
    case 'markdownv2':
      return readMarkdown(text);
    default:
      return { code: 400, description: 'Bad Request: unsupported parse_mode' };
  }
}

const tags = new Set(
  'b strong i em u ins s strike del span tg-spoiler a tg-emoji code pre blockquote'.split(' '),
);
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

function readHtml(text: string): Unmarked | Refusal {
  const open: string[] = [];
  let read = '';
  for (let at = 0; at < text.length;) {
    if (text[at] !== '<') {
      const [entity, name = '', decimal, hex] =
        /^&(?:(lt|gt|amp|quot)|#(\d+)|#x([\da-f]+));/i.exec(text.slice(at, at + 16)) ?? [];
      const code = Number(decimal ?? `0x${hex ?? ''}`);
      read += entities[name] ?? (code > 0 && code < 0x10_ff_ff ? String.fromCodePoint(code) : text[at]);
      at += entity?.length ?? 1;
      continue;
    }
    const [tag, slash, name = ''] = /^<(\/?)([a-z-]*)(?:[^>"]|"[^"]*")*>/i.exec(text.slice(at)) ?? [];
    const offset = bytesBefore(text, at);
    if (tag === undefined) return unreadable(`Unclosed start tag at byte offset ${offset}`);
    if (slash === '') {
      if (!tags.has(name.toLowerCase()))
        return unreadable(`Unsupported start tag "${name}" at byte offset ${offset}`);
      open.push(name.toLowerCase());
    } else {
      const expected = open.pop();
      if (expected === undefined) return unreadable(`Unexpected end tag at byte offset ${offset}`);
      if (expected !== name.toLowerCase())
        return unreadable(
          `Unmatched end tag at byte offset ${offset}, expected "</${expected}>", found "</${name}>"`,
        );
    }
    at += tag.length;
  }
  const left = open.pop();
  return left === undefined
    ? { text: read }
    : unreadable(`Can't find end tag corresponding to start tag "${left}"`);
}

const marks = ['```', '`', '__', '_', '*', '~', '||'];
const names: Readonly<Record<string, string>> = {
  '```': 'Pre',
  '`': 'Code',
  __: 'Underline',
  _: 'Italic',
  '*': 'Bold',
  '~': 'Strikethrough',
  '||': 'Spoiler',
};

function readMarkdown(text: string): Unmarked | Refusal {
  const open: { readonly mark: string; readonly at: number }[] = [];
  let read = '';
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const escaped = /^\\([\x21-\x7e])/.exec(rest);
    const link = /^!?\[([^\]]*)\]\(([^)]*)\)/.exec(rest);
    const within = open.at(-1)?.mark ?? '';
    const isCode = within.startsWith('`');
    const mark = marks.find((one) => rest.startsWith(one) && (!isCode || one === within));
    if (escaped !== null) {
      read += escaped[1];
      at += 2;
    } else if (isCode && mark === undefined) {
      read += text[at];
      at += 1;
    } else if (mark !== undefined) {
      if (open.at(-1)?.mark === mark) open.pop();
      else open.push({ mark, at });
      at += mark.length;
      if (mark === '```' && !isCode) at += /^(?:\w+(?=\s))?\n?/.exec(text.slice(at))![0].length;
    } else if (rest.startsWith('>') && (read === '' || read.endsWith('\n'))) {
      at += 1;
    } else if (link !== null) {
      read += link[1];
      at += link[0].length;
    } else if (/^[[\]()~>#+\-=|{}.!]/.test(rest)) {
      return unreadable(`Character '${rest[0]}' is reserved and must be escaped with the preceding '\\'`);
    } else {
      read += text[at];
      at += 1;
    }
  }
  const left = open.pop();
  if (left === undefined) return { text: read };
  return unreadable(
    `Can't find end of ${names[left.mark]} entity at byte offset ${bytesBefore(text, left.at)}`,
  );
}

function bytesBefore(text: string, at: number): number {
  return Buffer.byteLength(text.slice(0, at));
}

function unreadable(why: string): Refusal {
  return { code: 400, description: `Bad Request: can't parse entities: ${why}` };
}
