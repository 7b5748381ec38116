import type { FieldError } from '../problems/problem.ts';
import { strayTelegram } from './telegram-options.ts';

const contents = ['text', 'media', 'template', 'interactive'] as const;

/** A message of a bulk call, or a route: one of the contents, and perhaps options of Telegram. */
type Given = { readonly [C in (typeof contents)[number]]?: unknown } & { readonly telegram?: unknown };

/** What is wrong with a message that must have one content. `at`: where it is in the request. */
export function contentFaults(message: Given, at: string): FieldError[] {
  const [first, ...others] = contents.filter((field) => message[field] !== undefined);
  if (first === undefined)
    return [{ at: `${at}/text`, message: 'is required, unless media, template or interactive is given' }];
  const surplus = others.map((field) => ({
    at: `${at}/${field}`,
    message: `must not be given together with ${first}`,
  }));
  return [...surplus, ...optionFaults(first, message.telegram, at)];
}

/** Options of Telegram beside a content that takes none. */
export function optionFaults(content: string, telegram: unknown, at: string): FieldError[] {
  const takesNone = content === 'template' || content === 'interactive';
  return takesNone && telegram !== undefined ? [strayTelegram(at)] : [];
}
