import type { Told } from '@notify/core';
import type { SendContext, TellRequest } from '../adapter/channel.ts';
import { objectOf } from '../reading/untrusted.ts';
import { notTold } from '../requests/not-told.ts';
import { type Asked, documentOf, isSuccess, readSent } from './answer.ts';
import { tellRequest } from './request.ts';
import type { WhatsappCloudSettings } from './settings.ts';

/**
 * Marks the newest message, and with it all earlier ones, as read. `typing` does so, too, and shows for 25 seconds, or until a
 * message arrives, that somebody types
 * (developers.facebook.com/documentation/business-messaging/whatsapp/typing-indicators).
 */
export async function tell(
  { state, externalIds: [newest] }: TellRequest,
  context: SendContext<WhatsappCloudSettings>,
  asked: Asked & { readonly deadlineMs: number },
): Promise<Told> {
  if (newest === undefined) return { delivered: false, reason: 'no-message' };
  const { http, signal } = context;
  const { deadlineMs } = asked;
  const result = await http.request({ ...tellRequest(state, newest, context), signal, deadlineMs });
  if (result.ok && isSuccess(result) && objectOf(documentOf(result))['success'] === true)
    return { delivered: true };
  const outcome = readSent(result, asked);
  // A success that names a message is no answer to this.
  return outcome.kind === 'accepted' ? { delivered: false, reason: 'unavailable' } : notTold(outcome);
}
