import { Message, SendText } from '@notify/contract';
import { defineRoute, NoQuery } from '../http/route.ts';
import { quoting } from './quoted.ts';
import { ChannelParams, sendOne, singleSendProblems, textSend, toAcceptItem } from './send.ts';

export const sendText = defineRoute({
  method: 'post',
  path: '/v1/notify/:channel/text',
  tag: 'Sending',
  summary: 'Send a text',
  description: 'Responds once the message is stored durably. It is sent soon after.',
  credential: 'api-key',
  params: ChannelParams,
  query: NoQuery,
  body: SendText,
  status: 202,
  response: Message,
  problems: singleSendProblems,
  async handle({ params, body, caller }, deps) {
    const { channel } = params;
    const place = { tenantId: caller.tenantId, channel, at: 'body/replyTo' };
    const send = textSend(await quoting(body, place, deps));
    return sendOne(caller, toAcceptItem(caller, channel, send, false), deps);
  },
});
