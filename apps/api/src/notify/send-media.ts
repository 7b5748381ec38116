import { Message, SendMedia } from '@notify/contract';
import type { Channel, MessageBody } from '@notify/core';
import { invalidRequest, Problem } from '../http/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { judgeMediaUrl } from './media-url.ts';
import { keySender } from './key-sender.ts';
import { quoting } from './quoted.ts';
import { ChannelParams, type Send, sendOne, singleSendProblems, toAcceptItem } from './send.ts';

export const sendMedia = defineRoute({
  operationId: 'messages.sendMedia',
  method: 'post',
  path: '/v1/notify/:channel/media',
  tag: 'Sending',
  summary: 'Send an image, video, audio file or document',
  description:
    'The file is fetched and checked when the message is sent. If it breaks a limit, the message fails.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendMedia,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: [...singleSendProblems, 'media-not-supported', 'media-url-required'],
  checkPath: ({ channel }) => demandMedia(channel),
  async handle({ params, body, caller, request }, deps) {
    const { channel } = params;
    const place = { ...caller, channel, at: 'body/replyTo' };
    const send = mediaSend(await quoting(body, place, deps));
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, toAcceptItem(sender, channel, send, false), request, deps);
  },
});

/** Throws if the channel takes no files. `at`: the field to name, if there are several. */
export function demandMedia(channel: Channel, at?: string): void {
  if (channel !== 'sms') return;
  const errors = at === undefined ? [] : [{ at, message: 'is not possible on sms' }];
  throw new Problem('media-not-supported', { errors });
}

/** A file to send. Throws the Problem of a URL that is missing or malformed. */
export function mediaSend(body: SendMedia): Send {
  return { ...body, body: mediaBody(body, 'body') };
}

/** The content of a file to send. Throws the Problem of a URL that is missing or malformed. `at`: where it is in the request. */
export function mediaBody(
  { type, url, caption, filename }: Pick<SendMedia, 'type' | 'url' | 'caption' | 'filename'>,
  at: string,
): MessageBody {
  if (url === undefined) {
    throw new Problem('media-url-required', { errors: [{ at: `${at}/url`, message: 'is required' }] });
  }
  const fault = judgeMediaUrl(url);
  if (fault !== null) throw invalidRequest({ at: `${at}/url`, message: fault });
  const isNamed = filename !== undefined && filename.trim() !== '';
  return { type, url, caption: caption ?? null, ...(isNamed ? { filename } : {}) };
}
