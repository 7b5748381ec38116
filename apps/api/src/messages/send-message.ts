import { Message, SendMessage } from '@notify/contract';
import { defineRoute, NoParams, NoQuery } from '../http/route.ts';
import { takeRate } from '../keys/take-rate.ts';
import { sendOne, singleSendProblems, textSend, toAcceptItem } from '../notify/send.ts';

export const sendMessage = defineRoute({
  method: 'post',
  path: '/v1/messages',
  tag: 'Messages',
  summary: 'Send a text from the dashboard',
  description:
    'Like `POST /v1/notify/{channel}/text`, but with an access token instead of an API key. Meant for people; apps use an API key. All such requests of a tenant, and its resends, share the rate limit of one key.',
  credential: 'bearer',
  params: NoParams,
  query: NoQuery,
  body: SendMessage,
  status: 202,
  response: Message,
  problems: [...singleSendProblems.filter((code) => code !== 'unknown-channel'), 'rate-limited'],
  async handle({ body, caller, reply }, deps) {
    const { tenantId } = caller;
    const { channel, ...text } = body;
    await takeRate(deps, tenantId, deps.settings.keyRatePerMinute, (name, value) =>
      reply.header(name, value),
    );
    return sendOne(caller, toAcceptItem({ tenantId, keyId: null }, channel, textSend(text), false), deps);
  },
});
