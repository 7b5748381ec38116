import { Told } from '@notify/contract';
import { findConversation, writtenToTell } from '@notify/db/conversations';
import { found } from '../problems/found.ts';
import { NoBody, NoQuery } from '../http/route.ts';
import { defineTwins } from '../http/twins.ts';
import { ConversationParams, isOf, readConversationId } from './conversation.ts';
import { perMinute, tell, type TellNeeds } from './tell.ts';

export const [showTypingByKey, showTyping] = defineTwins({
  byKey: {
    operationId: 'keyConversations.typing',
    path: '/v1/notify/conversations/:id/typing',
    tag: 'Conversations',
    scope: 'conversations:write',
  },
  byBearer: {
    operationId: 'conversations.typing',
    path: '/v1/conversations/:id/typing',
    tag: 'Conversations',
    scope: 'conversations:write',
  },
  method: 'post',
  summary: 'Show that somebody types',
  description: `Shows the contact for some seconds that an answer is being written: on Telegram for 5, in the topic of the last message, on WhatsApp for up to 25, or until the answer arrives. Repeat it while you write. With the WhatsApp Cloud API it also marks the contact's messages as read on their phone, and needs one; Meta has no typing without that. It is best effort and tried once, for at most 10 seconds: \`delivered\` says whether the provider took it, and otherwise \`reason\` why not. A conversation has ${perMinute.conversation} a minute and an account ${perMinute.account}, with those of \`tellSender\`.`,
  params: ConversationParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: Told,
  problems: ['not-found'],
  async handle({ params, caller: { tenantId, accountIds }, request }, deps: TellNeeds) {
    const conversationId = readConversationId(params.id);
    const row = await findConversation(deps.db, tenantId, conversationId);
    const { account_id: accountId, address: to } = found(isOf(row, accountIds) ? row : null);
    const written = async () => {
      const all = await writtenToTell(deps.db, { tenantId, conversationId, after: null, through: null });
      return all.slice(0, 1);
    };
    const { place } = request;
    return tell({ tenantId, accountId, conversationId, state: 'typing', to, written, place }, deps);
  },
});
