import { Message, SendText } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoQuery } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { quoting } from '../sending/quoted.ts';
import {
  ChannelParams,
  sendOne,
  singleSendProblems,
  textSend,
  toAcceptItem,
  type SendNeeds,
} from '../sending/send.ts';

export const sendText = defineRoute({
  operationId: 'messages.sendText',
  method: 'post',
  path: '/v1/notify/:channel/text',
  tag: 'Sending',
  summary: 'Send a text',
  description: 'Responds once the message is stored durably. It is sent soon after.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendText,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: singleSendProblems,
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    const { channel } = params;
    const place = { ...caller, channel, at: 'body/replyTo' };
    const send = textSend(channel, await quoting(body, place, deps));
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, toAcceptItem(sender, channel, send, false), request, deps);
  },
});
