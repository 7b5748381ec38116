import type { DueFacts, MessageFacts } from '@notify/db/explanations';
import { because, type Reason } from './reason.ts';
import { inBrackets } from './said.ts';
import { timeBeside } from './times.ts';

/** Why the message is due later. Empty when it is due. */
export function explainWait(due: DueFacts, facts: MessageFacts): Reason[] {
  const { now, account } = facts;
  // A lease keeps the due time, so a message in work is never waiting for it.
  if (due.dueAt <= now || due.lease !== null || (account?.removedAt ?? null) !== null) return [];
  return [{ ...whyLater(due, facts), until: due.dueAt }];
}

function whyLater(due: DueFacts, facts: MessageFacts): Reason {
  const { now, history, recipient, account } = facts;
  const at = timeBeside(due.dueAt, now);
  const last = history.attempts.at(-1);
  const scheduledAt = history.message.scheduled_at;
  if (scheduledAt !== null && scheduledAt > now)
    return because('scheduled', 'It is scheduled for later.', { detail: `It is due ${at}.` });
  if (due.awaitingReceipt)
    return because(
      'awaiting-receipt',
      'The outcome of the call is unknown, so it waits for a delivery receipt. Without one, the account’s rule for unknown outcomes decides.',
      { detail: `It waits until ${at}.` },
    );
  if (due.quietUntil !== null && due.quietUntil >= due.dueAt)
    return because(
      'quiet-hours',
      'Its account has quiet hours now, by the clock of the account or of the recipient. It is sent when they are over.',
      { detail: `They end ${at}.` },
    );
  if (due.hasRecipientTime)
    return because('recipient-pace', 'Messages to one recipient are kept apart, and its turn comes later.', {
      detail: `It is sent ${at}.`,
    });
  if (last !== undefined && due.attempts === last.number && last.outcome === 'retry')
    return because(
      'retry',
      `Attempt ${last.number} failed, and nothing was sent${inBrackets(last.providerCode)}. It is tried again.`,
      {
        detail: `The next attempt is due ${at}.`,
      },
    );
  if (last?.outcome === 'throttled')
    return because(
      'throttled',
      `The provider asked to wait before the next message to this recipient${inBrackets(last.providerCode)}.`,
      {
        detail: `The next attempt is due ${at}.`,
      },
    );
  if (due.resends > 0 && last?.outcome === 'unknown')
    return because('repeat', 'The outcome of the last attempt is unknown, so it is sent once more.', {
      detail: `The next attempt is due ${at}.`,
    });
  if (recipient.slowedUntil !== null)
    return because(
      'conversation-slowed',
      'The contact answers as fast as a program, so messages to it are spread out.',
      { detail: `It is due ${at}. Messages are spread out until ${timeBeside(recipient.slowedUntil, now)}.` },
    );
  return because('scheduled', later[account?.provider ?? ''] ?? 'It is due later.', {
    detail: `It is due ${at}.`,
  });
}

/** What makes messages due later without an attempt, by provider. */
const later: Readonly<Record<string, string>> = {
  'whatsapp-web':
    'It waits because today’s limit of new contacts is reached, or because WhatsApp refused messages to this contact.',
};
