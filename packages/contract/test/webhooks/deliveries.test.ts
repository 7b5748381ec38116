import {
  type Delivery,
  openInbox,
  subscribe,
  svcSignature,
  verifyStandardSignature,
  webhookWhen,
} from '../suite/inbox.ts';
import { messageWhen, newTenant, sendText, type Tenant } from '../suite/tenant.ts';
import { id, phone, recipient, someText, timestamp, uuid } from '../suite/values.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const kind = (name: string) => (delivery: Delivery) => delivery.event.event === `message.${name}`;
const bySequence = (deliveries: readonly Delivery[]) =>
  deliveries.map(({ event }) => event).toSorted((a, b) => a.sequence - b.sequence);

describe('the events of a message', () => {
  test('on whatsapp are queued, sent, delivered and read, numbered from 1', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const to = recipient('whatsapp');
    const { body: message } = await tenant.send('whatsapp/text', { to, text: 'hello' });
    const events = bySequence(await inbox.atLeast(4));
    expect(events.map(({ event, sequence }) => [event, sequence])).toEqual([
      ['message.queued', 1],
      ['message.sent', 2],
      ['message.delivered', 3],
      ['message.read', 4],
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        id: id('evt'),
        messageId: message.id,
        tenantId: tenant.id,
        channelAccountId: message.channelAccountId,
        provider: 'whatsapp',
        to,
        type: 'text',
        occurredAt: timestamp,
      });
    }
    expect(events.map(({ status }) => status)).toEqual(['queued', 'sent', 'delivered', 'delivered']);
    expect(new Set(events.map((event) => event.id)).size).toBe(4);
  });

  test('tell the provider’s id once it is known', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const messageId = await sendText(tenant);
    const events = bySequence(await inbox.atLeast(3));
    const { externalId } = await messageWhen(tenant, messageId, ({ status }) => status === 'delivered');
    expect(externalId).toEqual(someText);
    expect(events.map((event) => event.externalId)).toEqual([null, externalId, externalId]);
  });

  test('end with failed, with its error and its code', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const messageId = await sendText(tenant, '0001');
    const [failed] = await inbox.atLeast(1, kind('failed'));
    const { error, errorCode } = await messageWhen(tenant, messageId, ({ status }) => status === 'failed');
    expect(failed?.event).toMatchObject({ messageId, status: 'failed', error, errorCode, sequence: 2 });
    expect([error, errorCode]).toEqual([someText, someText]);
  });

  test('of one that was accepted and later failed are queued, sent and failed', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    await sendText(tenant, '0004');
    const events = bySequence(await inbox.atLeast(3));
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.sent', 'message.failed']);
  });

  test('come once each, however often it was tried', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    await sendText(tenant, '0002');
    const events = bySequence(await inbox.atLeast(3, undefined, 60_000));
    expect(events.map(({ event }) => event)).toEqual(['message.queued', 'message.sent', 'message.delivered']);
  });

  test('of a repeated send come once', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const request = { to: phone(), text: 'hello', idempotencyKey: 'once' };
    await Promise.all([1, 2, 3].map(() => tenant.send('sms/text', request)));
    await inbox.atLeast(3);
    const later = await sendText(tenant);
    await inbox.atLeast(3, ({ event }) => event.messageId === later);
    expect(inbox.deliveries().filter(({ event }) => event.messageId !== later)).toHaveLength(3);
  });

  test('of a bulk item that cannot be sent are failed only', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox);
    const messages = [
      { to: 'ada', text: 'hello' },
      { to: phone(), text: 'hello' },
    ];
    const { body } = await tenant.send('sms/bulk', { messages });
    await inbox.atLeast(3, ({ event }) => event.messageId === body[1].id);
    const failed = await inbox.atLeast(1, ({ event }) => event.messageId === body[0].id);
    expect(failed.map(({ event }) => event)).toMatchObject([
      {
        event: 'message.failed',
        sequence: 1,
        status: 'failed',
        error: someText,
        errorCode: 'invalid-recipient',
      },
    ]);
  });

  test('of media tell its type', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued']);
    const media = { to: phone(), type: 'video', url: 'https://example.com/a.mp4' };
    await tenant.send('whatsapp/media', media);
    const [queued] = await inbox.atLeast(1);
    expect(queued?.event).toMatchObject({ type: 'video', channelAccountId: uuid });
  });
});

describe('the sandbox', () => {
  test('fetches no media', async () => {
    await using media = await openInbox();
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.delivered']);
    await tenant.send('whatsapp/media', { to: phone(), type: 'image', url: media.url });
    await inbox.atLeast(1);
    expect(media.deliveries()).toHaveLength(0);
  });
});

describe('a delivery', () => {
  test('is a POST of JSON whose User-Agent names the service and version', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued']);
    await sendText(tenant);
    const [delivery] = await inbox.atLeast(1);
    expect(delivery?.method).toBe('POST');
    expect(delivery?.url).toBe('/hook');
    expect(delivery?.headers['content-type']).toMatch(/^application\/json/);
    expect(delivery?.headers['user-agent']).toMatch(/\w+\/\d+\.\d+/);
  });

  test('carries X-Svc-Signature over its raw bytes, keyed with the secret as it is written', async () => {
    await using inbox = await openInbox();
    const { secret } = await subscribe(tenant, inbox);
    await tenant.send('whatsapp/text', { to: recipient('whatsapp'), text: 'grüße 😀' });
    for (const { headers, body } of await inbox.atLeast(4)) {
      expect(headers['x-svc-signature']).toBe(svcSignature(secret, body));
    }
  });

  test('carries a Standard Webhooks signature, with the event’s id and the time of the attempt', async () => {
    await using inbox = await openInbox();
    const { secret } = await subscribe(tenant, inbox, ['message.queued']);
    await sendText(tenant);
    const [delivery] = await inbox.atLeast(1);
    expect(verifyStandardSignature(secret, delivery!)).toEqual(delivery?.event);
    expect(delivery?.headers['webhook-id']).toBe(delivery?.event.id);
    expect(delivery?.headers['webhook-timestamp']).toMatch(/^\d{10}$/);
  });

  test('does not verify with another secret', async () => {
    await using inbox = await openInbox();
    await subscribe(tenant, inbox, ['message.queued']);
    const other = await subscribe(tenant, inbox, ['message.read']);
    await sendText(tenant);
    const [delivery] = await inbox.atLeast(1);
    expect(() => verifyStandardSignature(other.secret, delivery!)).toThrow('No matching signature found');
  });

  test('goes to every subscribed webhook, with the same id and that webhook’s signature', async () => {
    await using first = await openInbox();
    await using second = await openInbox();
    const webhooks = [await subscribe(tenant, first), await subscribe(tenant, second)];
    await sendText(tenant);
    const received = [await first.atLeast(3), await second.atLeast(3)];
    expect(bySequence(received[0] ?? []).map((event) => event.id)).toEqual(
      bySequence(received[1] ?? []).map((event) => event.id),
    );
    for (const [index, deliveries] of received.entries()) {
      const { secret } = webhooks[index]!;
      for (const { headers, body } of deliveries)
        expect(headers['x-svc-signature']).toBe(svcSignature(secret, body));
    }
  });

  test('goes only to those that subscribed to its event', async () => {
    await using all = await openInbox();
    await using some = await openInbox();
    await subscribe(tenant, all);
    await subscribe(tenant, some, ['message.delivered']);
    await sendText(tenant);
    await all.atLeast(3);
    const received = await some.atLeast(1);
    expect(received.map(({ event }) => event.event)).toEqual(['message.delivered']);
  });

  test('goes to no other tenant', async () => {
    await using mine = await openInbox();
    await using theirs = await openInbox();
    const stranger = await newTenant();
    await subscribe(tenant, mine);
    await subscribe(stranger, theirs);
    await sendText(tenant);
    const own = (await stranger.send('sms/text', { to: phone(), text: 'mine' })).body.id;
    await mine.atLeast(3);
    const received = await theirs.atLeast(3);
    expect(new Set(received.map(({ event }) => event.messageId))).toEqual(new Set([own]));
  });

  test('that succeeds shows in lastTriggeredAt, and leaves failureCount at 0', async () => {
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox, ['message.queued']);
    await sendText(tenant);
    const triggered = await webhookWhen(tenant, webhookId, ({ lastTriggeredAt }) => lastTriggeredAt !== null);
    expect(triggered).toMatchObject({ lastTriggeredAt: timestamp, failureCount: 0, isActive: true });
  });
});
