import type { MessageDetails } from '@notify/contract';
import type { Db } from '@notify/db/connection';
import { cancelMessage, findMessagesOf } from '@notify/db/messages';
import { countReached } from '@notify/dispatch';
import type { Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';
import { traces } from '@notify/telemetry';
import { found } from '../problems/found.ts';
import { Problem } from '../problems/problem.ts';
import { toDetails } from '../sending/message-details.ts';
import { wakeAll } from '../wake.ts';
import type { Listing } from './message-list.ts';
import { reasonOf } from './not-waiting.ts';

/** What a cancelation needs. */
export interface CancelNeeds {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
}

/** Cancels a waiting message of the caller's. Throws the Problem of one that is not there, or not waiting. */
export async function cancel(
  messageId: string,
  { tenantId, accountIds }: Listing,
  { db, waker, log }: CancelNeeds,
): Promise<MessageDetails> {
  const canceled = await cancelMessage(db, tenantId, messageId, accountIds, traces.enabled);
  if (canceled.kind === 'canceled') countReached(canceled.reached);
  const [message] = await findMessagesOf(db, tenantId, [messageId]);
  const isOwn =
    message !== undefined && (accountIds === null || accountIds.includes(message.channel_account_id ?? ''));
  const details = toDetails(found(isOwn ? message : null));
  if (canceled.kind === 'not-waiting') throw new Problem('not-cancelable', { detail: reasonOf(details) });
  wakeAll(waker, log, 'webhooks', canceled.webhooks);
  wakeAll(waker, log, 'groups', canceled.groups);
  return details;
}
