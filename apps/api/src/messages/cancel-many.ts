import type { CanceledMessages, CancelMessages } from '@notify/contract';
import { cancelWaiting, findKnownAddresses, findWaiting, type WaitingFilter } from '@notify/db/messages';
import { countReached } from '@notify/dispatch';
import { traces } from '@notify/telemetry';
import { invalidRequest } from '../problems/problem.ts';
import { wakeAll } from '../wake.ts';
import type { CancelNeeds } from './cancel.ts';
import { type Listing, spellingsOf } from './message-list.ts';

/** The most messages that one call cancels. */
const mostCanceled = 10_000;
/** Each transaction is this small, so that it never holds up a turn or a receipt for long. */
const canceledAtOnce = 500;

/** Cancels the caller's waiting messages that match. Throws the Problem of a filter that cannot be. */
export async function cancelMany(
  { filter, dryRun = false }: CancelMessages,
  { tenantId, accountIds }: Listing,
  { db, waker, log }: CancelNeeds,
): Promise<CanceledMessages> {
  const asked = toFilter(filter);
  const { recipients } = asked;
  const wanted = {
    ...asked,
    ...(recipients === undefined
      ? {}
      : { knownRecipients: await findKnownAddresses(db, tenantId, recipients) }),
    ...(accountIds === null ? {} : { accountIds }),
  };
  const found = await findWaiting(db, tenantId, wanted, mostCanceled + 1);
  const matched = found.slice(0, mostCanceled);
  const more = found.length > mostCanceled;
  if (dryRun) return { matched: matched.length, canceled: 0, more };
  let canceled = 0;
  for (let done = 0; done < matched.length; done += canceledAtOnce) {
    const ids = matched.slice(done, done + canceledAtOnce);
    const batch = await cancelWaiting(db, tenantId, ids, traces.enabled);
    canceled += batch.count;
    countReached(batch.reached);
    wakeAll(waker, log, 'webhooks', batch.webhooks);
    wakeAll(waker, log, 'groups', batch.groups);
  }
  return { matched: matched.length, canceled, more };
}

function toFilter(filter: CancelMessages['filter']): WaitingFilter {
  if (Object.values(filter).every((value) => value === undefined))
    throw invalidRequest({
      at: 'body/filter',
      message: 'must have a field; {"status": "queued"} matches all',
    });
  const { channel, channelAccountId, to, tag, scheduled } = filter;
  const { from, until, scheduledFrom, scheduledUntil } = filter;
  demandOrder(from, until, 'until');
  demandOrder(scheduledFrom, scheduledUntil, 'scheduledUntil');
  return {
    channel,
    accountId: channelAccountId?.toLowerCase(),
    recipients: to === undefined ? undefined : spellingsOf(to),
    tag,
    scheduled,
    from: timeOrNone(from),
    until: timeOrNone(until),
    scheduledFrom: timeOrNone(scheduledFrom),
    scheduledUntil: timeOrNone(scheduledUntil),
  };
}

function timeOrNone(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

function demandOrder(from: string | undefined, until: string | undefined, field: string): void {
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until))
    throw invalidRequest({ at: `body/filter/${field}`, message: 'must be after the beginning of the time' });
}
