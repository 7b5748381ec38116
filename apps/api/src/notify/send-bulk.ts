import { type BulkItem, Message, SendBulk } from '@notify/contract';
import type { Channel } from '@notify/core';
import type { Db } from '@notify/db/connection';
import Type from 'typebox';
import { invalidRequest } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { interactiveItem } from '../interactive/interactive-item.ts';
import { accept } from '../sending/accept.ts';
import { type ItemSender, keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { bulkMediaContent, demandMedia } from '../sending/media.ts';
import { quoting } from '../sending/quoted.ts';
import {
  ChannelParams,
  type SendItem,
  sendProblems,
  textSend,
  toAcceptItem,
  toMessage,
  type SendNeeds,
} from '../sending/send.ts';
import { contentFaults } from '../sending/one-content.ts';
import { takeMessages } from '../sending/take-messages.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';

export const sendBulk = defineRoute({
  operationId: 'messages.sendBulk',
  method: 'post',
  path: '/v1/notify/:channel/bulk',
  tag: 'Sending',
  summary: 'Send up to 100 messages',
  description:
    'Returns one result per item, in order. A valid item that cannot be sent has the status `failed`; the others are still queued. An item that failed with `channel-account-not-found` has no account, so a key for some accounts cannot retrieve it later.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendBulk,
  idempotencyHeader: 'refused',
  // 100 texts of 4,096 code points, each written as two \\u escapes, are 4.9 MB.
  maxBodyBytes: 6 * 1_048_576,
  status: 202,
  response: Type.Array(Message),
  problems: [...sendProblems, 'media-not-supported', 'media-url-required'],
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    demandOneContent(body.messages);
    const { channel } = params;
    for (const [index, { media }] of body.messages.entries())
      if (media !== undefined) demandMedia(channel, `body/messages/${index}/media`);
    const sender = await keySender(caller, channel, deps);
    const items = await Promise.all(
      body.messages.map((message, index) => toItem(sender, channel, message, index, deps)),
    );
    await takeMessages(caller, items.length, deps);
    const results = await accept(deps.acceptor, items, request.origin);
    return items.map((item, index) => toMessage(item, results[index]!, deps));
  },
});

/** Refuses items without content, and items with two. */
function demandOneContent(messages: readonly BulkItem[]): void {
  const errors = messages.flatMap((message, index) => contentFaults(message, `body/messages/${index}`));
  if (errors.length > 0) throw invalidRequest(...errors);
}

async function toItem(
  sender: ItemSender,
  channel: Channel,
  message: BulkItem,
  index: number,
  deps: TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
): Promise<SendItem> {
  const replyPlace = { ...sender, channel, at: `body/messages/${index}/replyTo` };
  const { text, media, template, interactive, ...rest } = await quoting(message, replyPlace, deps);
  const at = `body/messages/${index}`;
  if (media !== undefined) {
    const { telegram, ...send } = rest;
    const filePlace = { ...sender, channel, telegram, at: `${at}/media`, optionsAt: at };
    const { preFailed, ...content } = await bulkMediaContent(media, filePlace, deps);
    const item = toAcceptItem(sender, channel, { ...send, type: media.type, ...content }, true);
    return preFailed === undefined || item.preFailed !== undefined ? item : { ...item, preFailed };
  }
  if (interactive !== undefined) {
    const place = { bulk: true, at: `${at}/interactive` };
    return interactiveItem(sender, channel, { ...rest, interactive }, place, deps);
  }
  if (template === undefined)
    return toAcceptItem(sender, channel, textSend(channel, { ...rest, text: text! }, at), true);
  const place = { bulk: true, at: `${at}/template` };
  return templateItem(sender, channel, { ...rest, template }, place, deps);
}
