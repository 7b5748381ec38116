import type { Wake } from '@notify/core';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';

/** Wakes webhooks with new deliveries, without waiting for the queue. A failure is only a delay. */
export type WakeWebhooks = (webhooks: readonly Wake[]) => void;

/** Leaves a wake that fails to the sweeper. */
export function createWebhookWaker(waker: Waker, log: Log): WakeWebhooks {
  return (webhooks) => {
    if (webhooks.length === 0) return;
    const left = (error: unknown): void => log.tell('wake-left', { err: error });
    waker.wakeMany('webhooks', webhooks).then(() => reached('dispatch-woken'), left);
  };
}
