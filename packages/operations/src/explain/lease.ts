import type { DueFacts, MessageFacts } from '@notify/db/explanations';
import { isOrphaned, leaseWords } from './processes.ts';
import { because, type Reason } from './reason.ts';
import { timeBeside } from './times.ts';

const takenOver = 'it is taken over as an unknown outcome';

/** A message in work, or one whose work was interrupted. Empty when no lease was left on it. */
export function explainLease({ lease }: DueFacts, facts: MessageFacts): Reason[] {
  if (lease === null) return [];
  const { now, processes, history } = facts;
  if (lease.until <= now)
    return [
      because('interrupted', `${interrupted} The next turn of its account decides what follows.`, {
        detail: `The lease ended ${timeBeside(lease.until, now)}, so ${takenOver}.`,
      }),
    ];
  const detail = leaseWords(lease, processes, now, takenOver);
  if (isOrphaned(lease, processes, now))
    return [
      because('interrupted', `${interrupted} When its lease ends, its outcome counts as unknown.`, {
        until: lease.until,
        detail,
      }),
    ];
  const isText = ['text', 'template', 'interactive'].includes(history.message.type);
  return [
    because(
      'in-progress',
      isText
        ? 'It is being handed to the provider.'
        : 'Its file is being fetched, or it is being handed to the provider.',
      { detail },
    ),
  ];
}

const interrupted = 'The call to the provider was interrupted, so nobody knows whether it was sent.';
