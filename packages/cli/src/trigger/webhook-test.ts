import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryDetails, Notify } from '@notify/sdk';
import { CommandFailure, UsageFailure } from '../failures.ts';

/** How often to look whether the delivery has ended, in ms. */
const lookMs = 300;

/**
 * Has a webhook tested and waits for the end of its delivery. The list of events has no tests, because a test is for one
 * webhook only. Null if it has not ended within the signal's time.
 */
export async function testWebhook(
  notify: Notify,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<DeliveryDetails | null> {
  const id = wanted ?? (await onlyWebhook(notify, signal));
  const { deliveryId } = await notify.webhooks.test(id, { signal });
  for (;;) {
    const delivery = await notify.webhooks.getDelivery(id, deliveryId, { signal });
    if (delivery.state !== 'waiting') return delivery;
    await wait(lookMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return null;
  }
}

async function onlyWebhook(notify: Notify, signal: AbortSignal): Promise<string> {
  const webhooks = await notify.webhooks.list({ signal });
  const [only] = webhooks;
  if (only === undefined)
    throw new CommandFailure('there is no webhook to test', {
      hint: 'Create one: notifyctl webhooks create https://…',
    });
  if (webhooks.length === 1) return only.id;
  throw new UsageFailure(`there are ${webhooks.length} webhooks: name one with --webhook`);
}
