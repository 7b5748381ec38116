import type { SendMedia } from '@notify/contract';
import type { Channel, MediaType, MessageBody } from '@notify/core';
import { invalidRequest, Problem } from '../problems/problem.ts';
import { judgeMediaUrl } from './media-url.ts';
import type { Answered } from './quoted.ts';
import type { Send } from './send.ts';
import { withTelegram } from './telegram-options.ts';

/** Throws if the channel takes no files. `at`: the field to name, if there are several. */
export function demandMedia(channel: Channel, at?: string): void {
  if (channel !== 'sms') return;
  const errors = at === undefined ? [] : [{ at, message: 'is not possible on sms' }];
  throw new Problem('media-not-supported', { errors });
}

/** A file to send. Throws the Problem of a URL that is missing or malformed, and of its options. */
export function mediaSend(channel: Channel, { telegram, ...body }: SendMedia & Answered): Send {
  const place = { channel, telegram, at: 'body', textAt: 'body/caption' };
  return { ...body, body: withTelegram(mediaBody(body, 'body'), place) };
}

/** The content of a file to send. Throws the Problem of a URL that is missing or malformed. `at`: where it is in the request. */
export function mediaBody(
  { type, url, caption, filename }: Pick<SendMedia, 'type' | 'url' | 'caption' | 'filename'>,
  at: string,
): Extract<MessageBody, { type: MediaType }> {
  if (url === undefined) {
    throw new Problem('media-url-required', { errors: [{ at: `${at}/url`, message: 'is required' }] });
  }
  const fault = judgeMediaUrl(url);
  if (fault !== null) throw invalidRequest({ at: `${at}/url`, message: fault });
  const isNamed = filename !== undefined && filename.trim() !== '';
  return { type, url, caption: caption ?? null, ...(isNamed ? { filename } : {}) };
}
