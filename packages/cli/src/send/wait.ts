import type { Notify } from '@notify/sdk';
import { setTimeout as delay } from 'node:timers/promises';
import type { Message } from '../messages/message-text.ts';

/** What `--wait` can wait for. */
export const awaitedStatuses = ['sent', 'delivered', 'read'] as const;
/** A status that `--wait` can wait for. */
export type AwaitedStatus = (typeof awaitedStatuses)[number];

const firstPauseMs = 250;
const longestPauseMs = 2_000;

/** What to wait for, and how long. */
export interface Wait {
  readonly until: AwaitedStatus;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Resolves when the message reaches the status, fails, or the timeout ends. */
export async function waitFor(
  notify: Notify,
  id: string,
  { until, timeoutMs, signal }: Wait,
): Promise<Message> {
  return pollUntil(
    () => notify.tenantMessages.get(id, { signal }),
    (message) => message.status === 'failed' || reached(message, until),
    { timeoutMs, signal },
  );
}

/** Looks again and again, at growing intervals. Resolves with what is seen once it is `done`, or when the timeout ends. */
export async function pollUntil<Seen>(
  look: () => Promise<Seen>,
  done: (seen: Seen) => boolean,
  { timeoutMs, signal }: Pick<Wait, 'timeoutMs' | 'signal'>,
): Promise<Seen> {
  const deadline = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const seen = await look();
    const leftMs = deadline - performance.now();
    if (done(seen) || leftMs <= 0) return seen;
    await delay(Math.min(pauseMs, leftMs), undefined, { signal });
  }
}

/** Whether the message has got that far. Each status includes the ones before it. */
export function reached(message: Pick<Message, 'status' | 'readAt'>, until: AwaitedStatus): boolean {
  if (until === 'read') return message.readAt !== null;
  return message.status === 'delivered' || (until === 'sent' && message.status === 'sent');
}

/** What is said of what has not got that far, nor failed: `not delivered within 60 s; still queued`. */
export function lateText({ until, timeoutMs }: Pick<Wait, 'until' | 'timeoutMs'>, status: string): string {
  const far = status === 'queued' ? 'still queued' : `only ${status} so far`;
  return `not ${until} within ${timeoutMs / 1_000} s; ${far}`;
}
