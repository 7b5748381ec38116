import type { AccountFacts, DueFacts, MessageFacts } from '@notify/db/explanations';
import { because, type Reason } from './reason.ts';
import { inBrackets, sentence } from './said.ts';
import { timeBeside } from './times.ts';

/** Everything that holds up all messages of the account, and a lifetime that is over. */
export function explainHolds(due: DueFacts, facts: MessageFacts): Reason[] {
  const { account } = facts;
  if (account === null) return [removed(facts, null)];
  if (account.removedAt !== null) return [removed(facts, account.removedAt)];
  return [
    ...expiry(due, facts),
    ...allHeld(facts),
    ...block(account, facts),
    ...held(account),
    ...pause(account, facts),
  ];
}

function removed({ now }: MessageFacts, at: Date | null): Reason {
  return because('account-removed', 'Its account was removed, so it fails within moments.', {
    detail: at === null ? 'The row of the account is gone.' : `It was removed ${timeBeside(at, now)}.`,
  });
}

/** The sweeper leaves out a message that still waits for a receipt. */
function expiry(due: DueFacts, { now }: MessageFacts): Reason[] {
  if (due.expiresAt > now || (due.awaitingReceipt && due.dueAt > now)) return [];
  return [
    because('expired', 'Its lifetime is over, so it fails within moments.', {
      detail: `It expired ${timeBeside(due.expiresAt, now)}. A dispatch worker's sweeper fails it.`,
    }),
  ];
}

/** The operator looks at what a restore would send again. */
function allHeld({ sendsHeldSince, now }: MessageFacts): Reason[] {
  if (sendsHeldSince === null) return [];
  return [
    because('sends-held', 'All sends are held, because the database was restored from a backup.', {
      detail: `Held since ${timeBeside(sendsHeldSince, now)}. "notify release-sends" ends it.`,
    }),
  ];
}

function block({ blocked }: AccountFacts, { tenant, now }: MessageFacts): Reason[] {
  if (!blocked && (tenant?.blockedAt ?? null) === null) return [];
  const since = tenant?.blockedAt ?? null;
  return [
    because('tenant-blocked', 'The tenant is blocked, so its messages wait until they expire.', {
      detail: since === null ? null : `Blocked ${timeBeside(since, now)}. "notify unblock" ends it.`,
    }),
  ];
}

/** An account that waits until somebody acts. */
function held({ held: isHeld, status, statusDetail, pauseReason, provider }: AccountFacts): Reason[] {
  if (!isHeld) return [];
  const why = sentence(statusDetail ?? withoutNumbers(pauseReason));
  const isDevice = provider === 'whatsapp-web';
  if (status === 'connecting' || status === 'disconnected')
    return [
      because(
        'account-not-connected',
        `${isDevice ? 'The linked device' : 'The account'} is ${status}. ${why}`.trim(),
        {
          detail: isDevice ? 'A whatsapp-sessions process connects it again.' : null,
        },
      ),
    ];
  return [because('account-action-required', `Messages wait until the account is fixed. ${why}`.trim())];
}

function pause({ pausedUntil, pauseReason }: AccountFacts, { now }: MessageFacts): Reason[] {
  if (pausedUntil === null || pausedUntil <= now) return [];
  return [
    because('account-paused', `The account is paused${inBrackets(withoutNumbers(pauseReason))}.`, {
      until: pausedUntil,
      detail: `Sending resumes ${timeBeside(pausedUntil, now)}.`,
    }),
  ];
}

/** The words of a provider about an account, without what may be the number of a recipient. */
function withoutNumbers(text: string | null): string | null {
  return text === null ? null : text.replace(/\+?\d(?:[\s().-]*\d){5,}/g, '…').slice(0, 200);
}
