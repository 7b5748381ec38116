import { ChangeMessage, MessageDetails } from '@notify/contract';
import { scheduleDays } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findMessagesOf, rescheduleMessage } from '@notify/db/messages';
import type { Settings } from '@notify/runtime';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { defineRoute, NoQuery } from '../http/route.ts';
import { toDetails } from '../sending/message-details.ts';
import { invalidSendAt, timeOf } from '../sending/send-at.ts';
import { wakeSoon, type Wakes } from '../wake.ts';
import { MessageParams, readMessageId } from './message-id.ts';
import { reasonOf } from './not-waiting.ts';

export const changeMessage = defineRoute({
  operationId: 'tenantMessages.change',
  method: 'patch',
  path: '/v1/messages/:id',
  tag: 'Messages',
  summary: 'Reschedule a message',
  description:
    'Changes when a waiting message is sent; a time up to a minute ago means now. Its lifetime counts from the new time. A message that is being sent, or that an earlier attempt may have delivered, keeps its time, and so does a route of a group.',
  credential: 'bearer',
  scope: 'messages:manage',
  params: MessageParams,
  query: NoQuery,
  body: ChangeMessage,
  status: 200,
  response: MessageDetails,
  problems: ['not-found', 'not-changeable', 'invalid-request'],
  async handle(
    { params, body, caller: { tenantId } },
    { db, waker, log, settings }: Wakes & { readonly db: Db; readonly settings: Settings },
  ) {
    const messageId = readMessageId(params.id);
    const changed = await rescheduleMessage(db, {
      tenantId,
      messageId,
      sendAt: timeOf(body.sendAt),
      scheduleDays: scheduleDays(settings.messageRetentionDays),
    });
    if (changed.kind === 'invalid-send-at') throw invalidSendAt(settings);
    const [message] = await findMessagesOf(db, tenantId, [messageId]);
    const details = toDetails(found(message ?? null));
    if (changed.kind === 'grouped')
      throw new Problem('not-changeable', {
        detail: 'It is a route of a group. Cancel it, and send another group.',
      });
    if (changed.kind === 'not-waiting') throw new Problem('not-changeable', { detail: reasonOf(details) });
    if (changed.account !== null) wakeSoon({ waker, log }, 'dispatch', changed.account);
    return details;
  },
});
