import type { Told } from '@notify/core';
import type { TellRequest } from '../adapter/channel.ts';
import { notTold } from '../requests/not-told.ts';
import { readTelegram } from './answer.ts';
import { callDeadlineMs, callFor, type TelegramContext } from './call.ts';
import { type Asked, outcomeOf } from './errors.ts';

/**
 * Shows for five seconds, or until a message arrives, that the bot types: in the topic that the person wrote in (Bot API,
 * "sendChatAction": https://core.telegram.org/bots/api#sendchataction). Bots cannot mark messages as read.
 */
export async function tell(
  { state, to, threadId }: TellRequest,
  context: TelegramContext,
  asked: Asked,
): Promise<Told> {
  if (state !== 'typing') return { delivered: false, reason: 'not-supported' };
  const place = threadId === null ? {} : { message_thread_id: threadId };
  const parameters = { action: 'typing', ...place };
  const result = await callFor(to, 'sendChatAction', parameters, context, callDeadlineMs);
  const said = result.ok ? readTelegram(result) : null;
  if (said?.ok === true) return { delivered: true };
  const outcome = outcomeOf(result, asked);
  return outcome.kind === 'accepted' ? { delivered: true } : notTold(outcome);
}
