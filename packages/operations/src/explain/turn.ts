import { isOwnedLane, ownedLanes } from '@notify/core';
import { type AccountFacts, type DueFacts, type MessageFacts, mostCounted } from '@notify/db/explanations';
import { isRunning, overdueMs, takersWords } from './processes.ts';
import { because, type Reason } from './reason.ts';
import { countOf } from './said.ts';
import { span, timeBeside } from './times.ts';

/** Why no turn has claimed a message that is due. Empty when it is not due, in work, or held. */
export function explainTurn(due: DueFacts, facts: MessageFacts): Reason[] {
  const { account, now } = facts;
  if (account === null || account.removedAt !== null) return [];
  const isInWork = due.lease !== null && due.lease.until > now;
  const slow = slowLane(account);
  if (isInWork || due.dueAt > now || due.expiresAt <= now || isHeld(account, facts)) return slow;
  const refused = facts.recipient.optedOut && !due.awaitingReceipt && due.lease === null ? [optedOut] : [];
  const waits = [...refused, ...pace(due, account, facts), ...behind(due, account, facts)];
  return [...untaken(due, account, facts, waits.length > 0 || due.lease !== null), ...waits, ...slow];
}

function isHeld(
  { held, blocked, pausedUntil }: AccountFacts,
  { sendsHeldSince, tenant, now }: MessageFacts,
): boolean {
  return (
    sendsHeldSince !== null ||
    held ||
    blocked ||
    (tenant?.blockedAt ?? null) !== null ||
    (pausedUntil !== null && pausedUntil > now)
  );
}

const optedOut = because(
  'recipient-opted-out',
  'The recipient has opted out of messages from this account, so it fails at its attempt.',
);

/** The pace of the account: when the messages before it are gone, if they are few enough to count. */
function pace(due: DueFacts, account: AccountFacts, { ahead, now }: MessageFacts): Reason[] {
  const { perSecond, pacedUntil } = account;
  const waitsUntil = pacedUntil !== null && pacedUntil > now ? pacedUntil : null;
  if (perSecond === null)
    return waitsUntil === null
      ? []
      : [
          because('account-resting', 'The account rests for a moment between messages.', {
            until: waitsUntil,
            detail: `Sending resumes ${timeBeside(waitsUntil, now)}.`,
          }),
        ];
  const before = due.bulk ? ahead.ofItsKind + ahead.singles : ahead.ofItsKind;
  if (waitsUntil === null && before === 0) return [];
  const counted =
    before < mostCounted ? new Date((waitsUntil ?? now).getTime() + (before / perSecond) * 1_000) : null;
  const place = before === 0 ? 'It is the next one' : first(before);
  return [
    because('account-pace', `The account sends at most ${perSecond} messages a second. ${place}.`, {
      until: counted,
      detail: counted === null ? null : `At this pace it leaves ${timeBeside(counted, now)}.`,
    }),
  ];
}

/** The messages that go first, unless the pace has told of them. */
function behind({ bulk }: DueFacts, { perSecond }: AccountFacts, { ahead }: MessageFacts): Reason[] {
  const reasons: Reason[] = [];
  if (bulk && ahead.singles > 0)
    reasons.push(
      because(
        'behind-singles',
        `It is a bulk message. While single messages wait, four of them go before each bulk message. ${countOf(ahead.singles, 'single message')} ${ahead.singles === 1 ? 'is' : 'are'} due.`,
      ),
    );
  if (perSecond === null && ahead.ofItsKind > 0)
    reasons.push(because('behind-others', `${first(ahead.ofItsKind)}.`));
  return reasons;
}

/** Nobody takes the turn: no process of its kind runs, or the queue does not hand it out. */
function untaken(
  due: DueFacts,
  account: AccountFacts,
  { now, processes }: MessageFacts,
  hasReason: boolean,
): Reason[] {
  const since = Math.max(due.dueAt.getTime(), due.lease?.until.getTime() ?? 0);
  const sinceMs = now.getTime() - since;
  const name = isOwnedLane(account.lane) ? ownedLanes[account.lane] : 'dispatch-worker';
  const runs = isRunning(name, processes, now);
  const isLate = sinceMs >= overdueMs;
  if (!isLate && (runs || processes.length === 0))
    return hasReason ? [] : [because('due', 'It is due, and will be sent in a moment.')];
  if (runs && hasReason) return [];
  const dueFor = `It has been due for ${span(sinceMs)}`;
  return [
    because('not-taken', `It is due, and no worker has taken it yet.`, {
      detail: runs
        ? `${dueFor}. A sweeper wakes accounts that are overdue by 2 s. If this lasts, the queue is away, or all slots or permits of the lane are in use. ${takersWords(name, processes, now)}`
        : `${dueFor}. ${takersWords(name, processes, now)}`,
    }),
  ];
}

function slowLane({ lane, failuresInRow }: AccountFacts): Reason[] {
  if (lane !== 'slow') return [];
  const why =
    failuresInRow >= 3 ? `its last ${failuresInRow} attempts failed` : 'a call took longer than 2 s';
  return [
    because(
      'slow-lane',
      `The account is in the slow lane, because ${why}. It leaves that lane with the next fast call that succeeds.`,
      { detail: 'The slow lane has slots and permits of its own.' },
    ),
  ];
}

/** `One message of the account goes first`. */
function first(count: number): string {
  return `${countOf(count, 'message')} of the account ${count === 1 ? 'goes' : 'go'} first`;
}
