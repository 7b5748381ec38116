import {
  type Channel,
  type MessageBody,
  telegramLength,
  telegramLimits,
  type TelegramOptions,
} from '@notify/core';
import { type FieldError, invalidRequest } from '../problems/problem.ts';

/** What a send says beside its content, and where that is in the request. */
export interface OptionsPlace {
  readonly channel: Channel;
  readonly telegram?: TelegramOptions | undefined;
  /** The object with `telegram`. */
  readonly at: string;
  /** The text or the caption. */
  readonly textAt: string;
}

/**
 * The body with Telegram's options. Throws the Problem of options on another channel, and of a formatted text that Telegram
 * refuses for its length, because such a text cannot be split.
 */
export function withTelegram<
  B extends Exclude<MessageBody, { template: unknown } | { interactive: unknown }>,
>(body: B, { channel, telegram, at, textAt }: OptionsPlace): B {
  if (telegram === undefined) return body;
  if (channel !== 'telegram') throw invalidRequest(strayTelegram(at));
  const [text, limit] =
    'text' in body ? [body.text, telegramLimits.text] : [body.caption ?? '', telegramLimits.caption];
  if (telegram.format !== undefined && telegramLength(text, telegram.format) > limit) {
    const message = `must have at most ${limit.toLocaleString('en')} UTF-16 code units without its markup, because a formatted text is not split`;
    throw invalidRequest({ at: textAt, message });
  }
  return { ...body, telegram };
}

/** What is wrong with options where they do not belong. */
export function strayTelegram(at: string): FieldError {
  return { at: `${at}/telegram`, message: 'is only for texts and files on telegram' };
}
