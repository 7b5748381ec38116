import { Message, SendMedia } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoQuery } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { demandMedia, mediaContent } from '../sending/media.ts';
import { quoting } from '../sending/quoted.ts';
import {
  ChannelParams,
  mediaProblems,
  sendOne,
  singleSendProblems,
  toAcceptItem,
  type SendNeeds,
} from '../sending/send.ts';

export const sendMedia = defineRoute({
  operationId: 'messages.sendMedia',
  method: 'post',
  path: '/v1/notify/:channel/media',
  tag: 'Sending',
  summary: 'Send an image, video, audio file or document',
  description:
    'The file is that of a public `url`, which is fetched and checked when the message is sent, or an uploaded one (`fileId`). If it breaks a limit of the provider, the message fails.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendMedia,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: [...singleSendProblems, ...mediaProblems],
  checkPath: ({ channel }) => demandMedia(channel),
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    const { channel } = params;
    const place = { ...caller, channel, at: 'body/replyTo' };
    const { telegram, ...send } = await quoting(body, place, deps);
    const filePlace = { ...caller, channel, telegram, at: 'body', optionsAt: 'body' };
    const content = await mediaContent(body, filePlace, deps);
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, toAcceptItem(sender, channel, { ...send, ...content }, false), request, deps);
  },
});
