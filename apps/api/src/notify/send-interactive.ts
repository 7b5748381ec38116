import { Message, SendInteractive } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoQuery } from '../http/route.ts';
import { contentIn } from '../interactive/content.ts';
import { interactiveItem, type InteractiveNeeds } from '../interactive/interactive-item.ts';
import { keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { quoting } from '../sending/quoted.ts';
import {
  ChannelParams,
  interactiveProblems,
  sendOne,
  singleSendProblems,
  type SendNeeds,
} from '../sending/send.ts';

export const sendInteractive = defineRoute({
  operationId: 'messages.sendInteractive',
  method: 'post',
  path: '/v1/notify/:channel/interactive',
  tag: 'Sending',
  summary: 'Send buttons or a list',
  description:
    'A text with up to three buttons, with one button that opens an address, or with a list of up to ten rows. Works on accounts of `whatsapp-cloud` and `telegram-bot`, and of `sandbox` on these channels. On other accounts it is refused, or sent as a text with numbers to reply if `fallback` says so. A press arrives as an inbound message of type `button`: its `payload` is the ID of the button or row, and `replyTo` is this message.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendInteractive,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: [...singleSendProblems, ...interactiveProblems],
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & InteractiveNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    const { channel } = params;
    const replyPlace = { ...caller, channel, at: 'body/replyTo' };
    const send = contentIn(await quoting(body, replyPlace, deps));
    const place = { bulk: false, at: 'body' };
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, await interactiveItem(sender, channel, send, place, deps), request, deps);
  },
});
