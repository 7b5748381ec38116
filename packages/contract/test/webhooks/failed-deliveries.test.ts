import {
  type Delivery,
  openInbox,
  subscribe,
  verifyStandardSignature,
  webhookWhen,
} from '../suite/inbox.ts';
import { newTenant, sendText } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { timestamp } from '../suite/values.ts';

// They wait, each with its own tenant: so those of one `describe` wait together.

/** When a delivery says it was signed, in s since 1970. */
const signedAt = ({ headers }: Delivery) => Number(headers['webhook-timestamp']);

describe('a delivery that does not succeed', () => {
  test.concurrent.each([
    ['500', { status: 500 }],
    ['404', { status: 404 }],
    ['a redirect, which is not followed', { status: 302, headers: { location: '/elsewhere' } }],
    ['304', { status: 304 }],
  ])('for %s counts as failed and is tried again after 5 s, with the same id', async (_what, answer) => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId, secret } = await subscribe(tenant, inbox, ['message.queued']);
    inbox.behave(answer);
    await sendText(tenant);
    await inbox.atLeast(1);
    const failed = await webhookWhen(tenant, webhookId, ({ failureCount }) => failureCount > 0);
    expect(failed).toMatchObject({ lastTriggeredAt: timestamp, isActive: true });
    // An attempt counts once. On a slow machine there may have been a second one by now.
    expect(failed.failureCount).toBeLessThanOrEqual(inbox.deliveries().length);
    inbox.behave({});
    const [first, second] = await inbox.atLeast(2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_950);
    expect(second?.event).toEqual(first?.event);
    expect(second?.url).toBe('/hook');
    expect(signedAt(second!) - signedAt(first!)).toBeGreaterThanOrEqual(4);
    expect(verifyStandardSignature(secret, second!)).toEqual(first?.event);
    await webhookWhen(tenant, webhookId, ({ failureCount }) => failureCount === 0);
  });

  test.concurrent('for want of an answer within 10 s counts as failed', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.queued']);
    inbox.behave({ hang: true });
    await sendText(tenant);
    await inbox.atLeast(1);
    const failed = await webhookWhen(tenant, webhookId, ({ failureCount }) => failureCount > 0);
    // An attempt counts once. On a slow machine there may have been a second one by now.
    expect(failed.failureCount).toBeLessThanOrEqual(inbox.deliveries().length);
  });

  test.concurrent('for nobody listening counts as failed', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.queued']);
    await inbox[Symbol.asyncDispose]();
    await sendText(tenant);
    const failed = await webhookWhen(tenant, webhookId, ({ failureCount }) => failureCount > 0);
    expect(failed).toMatchObject({ lastTriggeredAt: timestamp });
  });

  test.concurrent('waits as long as Retry-After asks, where that is longer', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued']);
    inbox.behave({ status: 503, headers: { 'retry-after': '9' } });
    await sendText(tenant);
    await inbox.atLeast(1);
    inbox.behave({});
    const [first, second] = await inbox.atLeast(2);
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(8_950);
  });

  test.concurrent('does not hold up what goes to other webhooks', async () => {
    const tenant = await newTenant();
    await using dead = await openInbox();
    await using alive = await openInbox();
    await subscribe(tenant, dead);
    await subscribe(tenant, alive);
    dead.behave({ hang: true });
    const meanwhile = new Set<string>();
    alive.behave(({ body }) => {
      const { event, messageId } = JSON.parse(body.toString());
      if (event === 'message.delivered' && dead.open() > 0) meanwhile.add(messageId);
      return {};
    });
    // Where the machine is slow, an attempt may end before the last event of a message: then the next message shows it.
    let messageId: string;
    do {
      messageId = await sendText(tenant);
      await alive.atLeast(3, ({ event }) => event.messageId === messageId);
    } while (!meanwhile.has(messageId));
    expect(dead.deliveries().length).toBeGreaterThan(0);
  });

  test.concurrent('lets every event through in the end', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued', 'message.sent', 'message.delivered']);
    const failedOnce = new Set<string>();
    inbox.behave(({ body }) => {
      const { id: eventId } = JSON.parse(body.toString());
      const again = failedOnce.has(eventId);
      failedOnce.add(eventId);
      return { status: again ? 204 : 500 };
    });
    await sendText(tenant);
    const received = await inbox.atLeast(6);
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(3);
  });
});

describe('a disabled webhook', () => {
  test.concurrent('gets nothing while it is disabled, and new events once it is enabled', async () => {
    const tenant = await newTenant();
    await using witness = await openInbox();
    await using inbox = await openInbox();
    await subscribe(tenant, witness);
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.delivered']);
    await tenant.patch(`/v1/webhooks/${webhookId}/disable`);
    await sendText(tenant);
    await witness.atLeast(3);
    await tenant.patch(`/v1/webhooks/${webhookId}/enable`);
    const messageId = await sendText(tenant);
    await inbox.atLeast(1);
    expect(inbox.deliveries().map(({ event }) => event.messageId)).toEqual([messageId]);
  });

  test.concurrent('has its failures forgotten when it is enabled', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.queued']);
    inbox.behave({ status: 500 });
    await sendText(tenant);
    await webhookWhen(tenant, webhookId, ({ failureCount }) => failureCount > 0);
    await tenant.patch(`/v1/webhooks/${webhookId}/disable`);
    expect((await tenant.patch(`/v1/webhooks/${webhookId}/enable`)).body).toMatchObject({ failureCount: 0 });
  });
});

test.concurrent(
  'five failures in a row show as failing; once it answers again, its owner’s test event brings all that waits',
  async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox);
    inbox.behave({ status: 500 });
    await sendText(tenant);
    await sendText(tenant);
    const failing = await webhookWhen(tenant, webhookId, ({ state }) => state === 'failing');
    expect(failing).toMatchObject({ failingSince: timestamp, lastSuccessAt: null });
    inbox.behave({});
    await tenant.post(`/v1/webhooks/${webhookId}/test`);
    const healthy = await webhookWhen(
      tenant,
      webhookId,
      ({ state, waiting }) => state === 'healthy' && waiting === 0,
    );
    expect(healthy).toMatchObject({ failingSince: null, nextAttemptAt: null, lastSuccessAt: timestamp });
  },
);

describe('an attempt begun before a disable and an enable', () => {
  test.concurrent('changes no counter', async () => {
    const tenant = await newTenant();
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.queued']);
    inbox.behave({ status: 500, delayMs: 2_000 });
    await sendText(tenant);
    const [begun] = await inbox.atLeast(1);
    await tenant.patch(`/v1/webhooks/${webhookId}/disable`);
    await tenant.patch(`/v1/webhooks/${webhookId}/enable`);
    inbox.behave({});
    await until(Date.now, (now) => now > begun!.at + 4_000);
    expect(await webhookWhen(tenant, webhookId, () => true)).toMatchObject({ failureCount: 0 });
  });
});

describe('a deleted webhook', () => {
  test.concurrent('gets nothing more', async () => {
    const tenant = await newTenant();
    await using witness = await openInbox();
    await using inbox = await openInbox();
    await subscribe(tenant, witness);
    const { id: webhookId } = await subscribe(tenant, inbox);
    await tenant.remove(`/v1/webhooks/${webhookId}`);
    await sendText(tenant);
    await witness.atLeast(3);
    expect(inbox.deliveries()).toHaveLength(0);
  });
});
