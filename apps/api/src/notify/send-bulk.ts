import { Message, SendBulk } from '@notify/contract';
import Type from 'typebox';
import { defineRoute, NoQuery } from '../http/route.ts';
import { ChannelParams, sendProblems, textSend, toAcceptItem, toMessage } from './send.ts';
import { takeMessages } from './take-messages.ts';

export const sendBulk = defineRoute({
  method: 'post',
  path: '/v1/notify/:channel/bulk',
  tag: 'Sending',
  summary: 'Send up to 100 texts',
  description:
    'Returns one result per item, in order. A valid item that cannot be sent has the status `failed`; the others are still queued.',
  credential: 'api-key',
  params: ChannelParams,
  query: NoQuery,
  body: SendBulk,
  // 100 texts of 4,096 code points, each written as two \\u escapes, are 4.9 MB.
  maxBodyBytes: 6 * 1_048_576,
  status: 202,
  response: Type.Array(Message),
  problems: sendProblems,
  async handle({ params, body, caller }, deps) {
    const items = body.messages.map((text) => toAcceptItem(caller, params.channel, textSend(text), true));
    await takeMessages(caller, items.length, deps);
    const results = await deps.accept(items);
    return items.map((item, index) => toMessage(item, results[index]!));
  },
});
