import { Message, SendMedia } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoQuery } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { demandMedia, mediaSend } from '../sending/media.ts';
import { quoting } from '../sending/quoted.ts';
import { ChannelParams, sendOne, singleSendProblems, toAcceptItem, type SendNeeds } from '../sending/send.ts';

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
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    const { channel } = params;
    const place = { ...caller, channel, at: 'body/replyTo' };
    const send = mediaSend(channel, await quoting(body, place, deps));
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, toAcceptItem(sender, channel, send, false), request, deps);
  },
});
