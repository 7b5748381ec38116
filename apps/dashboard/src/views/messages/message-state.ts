import { codeMask } from '@notify/core';
import type { MessageDetails, MessageHistory } from '@notify/sdk';

/** The state of a message as a badge shows it: its status, or else `received` or `scheduled`, as in the filter of the list. */
export type ShownState = MessageDetails['status'] | 'received' | 'scheduled';

/** The state of a message at a time, in ms since 1970. One that waits for its own time is `scheduled`. */
export function stateOf(
  { direction, status, scheduledAt }: Pick<MessageDetails, 'direction' | 'status' | 'scheduledAt'>,
  nowMs: number,
): ShownState {
  if (direction === 'inbound') return 'received';
  const isScheduled = status === 'queued' && scheduledAt !== null && Date.parse(scheduledAt) > nowMs;
  return isScheduled ? 'scheduled' : status;
}

/** Whether it is the message of a verification. Its code is masked for good, so it cannot be sent again. */
export function carriesCode({
  direction,
  groupId,
  body,
}: Pick<MessageDetails, 'direction' | 'groupId' | 'body'>): boolean {
  return direction === 'outbound' && groupId !== null && JSON.stringify(body).includes(codeMask);
}

/** Whether a resend can succeed. */
export function canResend(
  message: Pick<MessageDetails, 'direction' | 'status' | 'groupId' | 'body'>,
): boolean {
  return message.direction === 'outbound' && message.status === 'failed' && !carriesCode(message);
}

/** What the provider said to the last attempt that did not succeed; null if there is nothing to tell. */
export function lastRefusal({ timeline }: Pick<MessageHistory, 'timeline'>): string | null {
  const attempts = timeline.filter((entry) => entry.kind === 'attempt');
  const last = attempts.findLast(({ outcome }) => outcome !== null);
  if (last === undefined || last.outcome === 'accepted') return null;
  const said = [last.providerCode, last.text].filter((one) => one !== null && one !== '').join(' · ');
  if (said === '') return null;
  return attempts.length === 1
    ? `The attempt ended with: ${said}`
    : `The last of ${attempts.length} attempts ended with: ${said}`;
}
