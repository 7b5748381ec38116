import { MessageDetails } from '@notify/contract';
import { cancelMessage as cancel, findMessagesOf } from '@notify/db/messages';
import { found } from '../http/found.ts';
import { Problem } from '../http/problem.ts';
import { defineRoute, NoBody, NoQuery } from '../http/route.ts';
import { toDetails } from '../notify/message-details.ts';
import { wakeAll } from '../wake.ts';
import { MessageParams, readMessageId } from './message-id.ts';

export const cancelMessage = defineRoute({
  method: 'post',
  path: '/v1/messages/:id/cancel',
  tag: 'Messages',
  summary: 'Cancel a message',
  description:
    'The message fails with the code `canceled`, and webhooks receive the event as for any failure. A message that is being sent, or that an earlier attempt may have delivered, can no longer be canceled.',
  credential: 'bearer',
  params: MessageParams,
  query: NoQuery,
  body: NoBody,
  status: 200,
  response: MessageDetails,
  problems: ['not-found', 'not-cancelable'],
  async handle({ params, caller: { tenantId } }, { db, waker, log }) {
    const id = readMessageId(params.id);
    const canceled = await cancel(db, tenantId, id);
    const [message] = await findMessagesOf(db, tenantId, [id]);
    const details = toDetails(found(message ?? null));
    if (canceled.kind === 'not-waiting') throw new Problem('not-cancelable', { detail: reasonOf(details) });
    wakeAll(waker, log, 'webhooks', canceled.webhooks);
    return details;
  },
});

function reasonOf({ direction, status }: MessageDetails): string {
  return direction === 'inbound' ? 'The message was received.' : reasons[status];
}

const reasons: Readonly<Record<MessageDetails['status'], string>> = {
  queued: 'The message is being sent, or an earlier attempt may have delivered it.',
  sent: 'The message has been sent.',
  delivered: 'The message has been delivered.',
  failed: 'The message has failed.',
};
