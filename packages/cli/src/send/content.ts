import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';

/** The markups of Telegram. */
export const telegramFormats = ['html', 'markdown'] as const;

/** The kinds of file that a message carries. */
export const fileTypes = ['image', 'video', 'audio', 'document'] as const;
type FileType = (typeof fileTypes)[number];

/** What the options of `send` say about the content. */
export interface ContentOptions {
  readonly text: string | undefined;
  readonly fileUrl: string | undefined;
  /** A path of this machine. */
  readonly file: string | undefined;
  readonly fileId: string | undefined;
  readonly fileType: FileType | undefined;
  readonly caption: string | undefined;
  readonly filename: string | undefined;
  readonly template: string | undefined;
  readonly language: string | undefined;
  readonly param: readonly string[] | undefined;
  readonly parameters: Record<string, unknown> | undefined;
  /** `title=id`, or `title=address`. */
  readonly button: readonly string[] | undefined;
  readonly header: string | undefined;
  readonly footer: string | undefined;
  readonly numbered: boolean | undefined;
  readonly interactive: Record<string, unknown> | undefined;
  readonly telegramFormat: (typeof telegramFormats)[number] | undefined;
  readonly telegramThread: number | undefined;
  readonly telegramSilent: boolean | undefined;
  readonly telegramNoPreview: boolean | undefined;
}

/**
 * The part of a send's body that says what is sent; `file` is a path that is still to be uploaded. Throws UsageFailure unless exactly
 * one of text, file, template and interactive is given. A text with buttons is interactive.
 */
export function contentOf(options: ContentOptions): Record<string, unknown> {
  const { text, fileUrl, file, fileId, template, interactive, button } = options;
  const chosen = [text, fileUrl, file, fileId, template, interactive].filter((one) => one !== undefined);
  if (chosen.length !== 1)
    throw new UsageFailure(
      'one of --text, --file, --file-id, --file-url, --template and --interactive is required',
    );
  const named = file ?? fileUrl ?? fileId;
  demandOnly('--file, --file-id or --file-url', named, options, ['fileType', 'caption', 'filename']);
  demandOnly('--template', template, options, ['language', 'param', 'parameters']);
  demandOnly('--text', text, options, ['button']);
  demandOnly('--button', button?.[0], options, ['header', 'footer']);
  if (options.numbered === true && button === undefined)
    throw new UsageFailure('--numbered goes with --button only');
  const telegram = telegramOf(options);
  if (telegram !== undefined && (interactive ?? button) !== undefined)
    throw new UsageFailure('--telegram-… goes with a text or a file only');
  if (interactive !== undefined) return { interactive };
  if (text !== undefined && button !== undefined) return { interactive: withButtons(text, button, options) };
  if (template !== undefined) {
    if (telegram !== undefined) throw new UsageFailure('--telegram-… goes with a text or a file only');
    return { template: templateOf(template, options) };
  }
  if (named === undefined) return { text, telegram };
  const { caption, filename, fileType = typeOf(file ?? fileUrl ?? '') } = options;
  return given({ type: fileType, url: fileUrl, file, fileId, caption, filename, telegram });
}

/** A text with buttons. An address has a scheme; anything else is an id. */
function withButtons(
  text: string,
  button: readonly string[],
  { header, footer, numbered }: ContentOptions,
): Record<string, unknown> {
  const buttons = button.map((one) => {
    const [, title, target] = /^([^=]+)=(.+)$/s.exec(one) ?? [];
    if (title === undefined || target === undefined)
      throw new UsageFailure('--button must be title=id, or title=https://…');
    return /^https?:\/\//i.test(target) ? { url: target, title } : { id: target, title };
  });
  return given({ text, header, footer, buttons, fallback: numbered === true ? 'numbered' : undefined });
}

/** What only Telegram knows of a message; undefined if nothing was said. */
function telegramOf(options: ContentOptions): Record<string, unknown> | undefined {
  const said = given({
    format: options.telegramFormat,
    threadId: options.telegramThread,
    silent: options.telegramSilent === true ? true : undefined,
    preview: options.telegramNoPreview === true ? false : undefined,
  });
  return Object.keys(said).length === 0 ? undefined : said;
}

function templateOf(name: string, { language, param, parameters }: ContentOptions): Record<string, unknown> {
  if (language === undefined) throw new UsageFailure('--language is required with --template');
  if (param !== undefined && parameters !== undefined)
    throw new UsageFailure('--param and --parameters exclude each other');
  const filled = parameters ?? (param === undefined ? undefined : { body: bodyOf(param) });
  return { name, language, parameters: filled };
}

/** `name=value` fills named variables; plain values fill {{1}}, {{2}} and so on. */
function bodyOf(param: readonly string[]): string[] | Record<string, string> {
  const pairs = param.map((one) => /^([A-Za-z_]\w*)=(.*)$/s.exec(one));
  if (pairs.every((pair) => pair === null)) return [...param];
  const named = pairs.filter((pair) => pair !== null);
  if (named.length < param.length) throw new UsageFailure('--param must be all name=value, or all values');
  return Object.fromEntries(named.map((pair) => [pair[1] ?? '', pair[2] ?? ''] as const));
}

function demandOnly(
  owner: string,
  value: string | undefined,
  options: ContentOptions,
  names: readonly (keyof ContentOptions)[],
): void {
  const stray = names.find((name) => value === undefined && options[name] !== undefined);
  if (stray === undefined) return;
  const option = stray.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageFailure(`--${option} goes with ${owner} only`);
}

const typesByExtension: Readonly<Record<string, FileType>> = {
  jpg: 'image',
  jpeg: 'image',
  png: 'image',
  webp: 'image',
  mp4: 'video',
  '3gp': 'video',
  mp3: 'audio',
  ogg: 'audio',
  aac: 'audio',
};

/** The kind of file by the end of its address; a document unless it is known. */
function typeOf(fileUrl: string): FileType {
  const path = URL.canParse(fileUrl) ? new URL(fileUrl).pathname : fileUrl;
  return typesByExtension[path.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'document';
}
