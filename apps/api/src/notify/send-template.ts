import { Message, SendTemplate } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { defineRoute, NoQuery } from '../http/route.ts';
import { keySender } from '../sending/key-sender.ts';
import type { LookUps } from '../sending/look-up.ts';
import { quoting } from '../sending/quoted.ts';
import {
  ChannelParams,
  sendOne,
  singleSendProblems,
  templateProblems,
  type SendNeeds,
} from '../sending/send.ts';
import { templateItem, type TemplateNeeds } from '../templates/template-item.ts';

export const sendTemplate = defineRoute({
  operationId: 'messages.sendTemplate',
  method: 'post',
  path: '/v1/notify/:channel/template',
  tag: 'Sending',
  summary: 'Send a template',
  description:
    'A template that the provider of the account keeps: one of Meta for WhatsApp, or Content of Twilio. It is checked against the templates that were last read from the provider, which `GET /v1/channel-accounts/{id}/templates` lists. If they were read more than an hour ago, the provider decides.',
  credential: 'api-key',
  scope: 'send',
  params: ChannelParams,
  query: NoQuery,
  body: SendTemplate,
  idempotencyHeader: 'taken',
  status: 202,
  response: Message,
  problems: [...singleSendProblems, ...templateProblems],
  async handle(
    { params, body, caller, request },
    deps: SendNeeds & TemplateNeeds & { readonly db: Db; readonly lookUps: LookUps },
  ) {
    const { channel } = params;
    const replyPlace = { ...caller, channel, at: 'body/replyTo' };
    const send = await quoting(body, replyPlace, deps);
    const place = { bulk: false, at: 'body/template' };
    const sender = await keySender(caller, channel, deps);
    return sendOne(caller, await templateItem(sender, channel, send, place, deps), request, deps);
  },
});
