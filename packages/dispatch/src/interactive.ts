import { noButtonsText, sendsButtons } from '@notify/channels';
import { choicesOf, contactKey, type InteractiveContent, numberedText, type Outcome } from '@notify/core';
import type { Claimed } from '@notify/db/dispatch';
import type { Numbered } from '@notify/db/inbound';
import type { Connection } from './connection.ts';

/** The message as it is sent: with numbers in the place of buttons, where the provider has none and the sender wants that. */
export function asText(claimed: Claimed, connection: Connection): Claimed {
  const content = interactiveIn(claimed);
  if (content?.fallback !== 'numbered' || connection.kind === 'broken') return claimed;
  if (sendsButtons(connection.adapter, claimed.account.channel)) return claimed;
  return { ...claimed, type: 'text', body: { text: numberedText(content) } };
}

/** Whether a number that comes back answers the message. `sent`: what `asText` made of it. */
export function isToBeNumbered(claimed: Claimed, sent: Claimed): boolean {
  const content = interactiveIn(claimed);
  return (
    content !== null &&
    interactiveIn(sent) === null &&
    claimed.state === 'call' &&
    claimed.part === 0 &&
    choicesOf(content).length > 0
  );
}

function interactiveIn({ body }: Claimed): InteractiveContent | null {
  return 'interactive' in body ? body.interactive : null;
}

/** Where its answer comes from. */
export function numberedOf({ account, messageId, to }: Claimed): Numbered {
  return { account, contact: contactKey(account.channel, to), messageId };
}

/** Whether the person certainly did not get the message. */
export function isUnsent({ kind }: Outcome): boolean {
  return kind !== 'accepted' && kind !== 'unknown';
}

/** The account was changed after the send had been checked. */
export const noButtons: Outcome = {
  kind: 'rejected',
  errorCode: 'interactive-not-supported',
  text: noButtonsText,
};
