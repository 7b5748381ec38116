import type { Wake } from '@notify/core';
import type { Accepted } from '@notify/db/messages';
import { reached } from '@notify/runtime';
import { wakeAll, type Wakes } from '../wake.ts';

/** Wakes what has work because of new messages, after their answer. */
export function wakeAccepted(
  accepted: Pick<Accepted, 'accounts' | 'webhooks'> & { readonly groups?: readonly Wake[] },
  { waker, log }: Wakes,
): void {
  setImmediate(() => {
    reached('accept-answered');
    wakeAll(waker, log, 'dispatch', accepted.accounts);
    wakeAll(waker, log, 'webhooks', accepted.webhooks);
    wakeAll(waker, log, 'groups', accepted.groups ?? []);
  });
}
