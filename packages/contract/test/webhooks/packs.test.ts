import { type Inbox, openInbox, svcSignature, verifyStandardSignature } from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sendText, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id } from '../suite/values.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const batch = (maxEvents = 100, maxWaitMs = 0) => ({ mode: 'batch', maxEvents, maxWaitMs });

async function create(
  inbox: Inbox,
  delivery: object,
  fields: object = {},
): Promise<{ id: string; secret: string }> {
  const made = await tenant.post('/v1/webhooks', { url: inbox.url, delivery, ...fields });
  expect(made).toMatchObject({ status: 201, body: { delivery } });
  return made.body;
}

const eventsOf = (inbox: Inbox) =>
  inbox
    .deliveries()
    .flatMap(({ event }) => (event.events ?? [event]) as { event: string; messageId: string }[]);

describe('delivery', () => {
  test('is single unless a webhook asks for packs, and can be changed', async () => {
    await using inbox = await openInbox();
    const single = await tenant.post('/v1/webhooks', { url: inbox.url });
    expect(single.body.delivery).toEqual({ mode: 'single' });
    const changed = await tenant.patch(`/v1/webhooks/${single.body.id}`, { delivery: batch(7, 250) });
    expect(changed).toMatchObject({ status: 200, body: { delivery: batch(7, 250) } });
    const described = await tenant.patch(`/v1/webhooks/${single.body.id}`, { description: 'x' });
    expect(described.body.delivery).toEqual(batch(7, 250));
    const back = await tenant.patch(`/v1/webhooks/${single.body.id}`, { delivery: { mode: 'single' } });
    expect(back.body.delivery).toEqual({ mode: 'single' });
  });

  test.each([
    [{ mode: 'batch', maxWaitMs: 0 }, 'body/delivery/maxEvents'],
    [{ mode: 'batch', maxEvents: 10 }, 'body/delivery/maxWaitMs'],
    [{ mode: 'single', maxEvents: 10 }, 'body/delivery/maxEvents'],
    [batch(0), 'body/delivery/maxEvents'],
    [batch(501), 'body/delivery/maxEvents'],
    [batch(1, 60_001), 'body/delivery/maxWaitMs'],
    [{ mode: 'many' }, 'body/delivery/mode'],
  ])('%j is refused at %s', async (delivery, at) => {
    const made = await tenant.post('/v1/webhooks', { url: 'https://example.com/hook', delivery });
    expect(made).toMatchObject(problem('invalid-request'));
    expect(made.body.errors).toEqual([expect.objectContaining({ at })]);
  });
});

describe('a webhook with packs', () => {
  test('gets all events, in signed packs', async () => {
    await using inbox = await openInbox();
    const { secret } = await create(inbox, batch());
    const messageId = await sendText(tenant);
    await messageWhen(tenant, messageId, ({ status }) => status === 'delivered');
    await until(
      () => eventsOf(inbox),
      ({ length }) => length >= 3,
    );
    expect(
      eventsOf(inbox)
        .map(({ event }) => event)
        .toSorted(),
    ).toEqual(['message.delivered', 'message.queued', 'message.sent']);
    for (const post of inbox.deliveries()) {
      expect(post.event).toEqual({ id: id('bat'), events: expect.any(Array) });
      expect(post.headers['webhook-id']).toBe(post.event.id);
      expect(post.headers['x-svc-signature']).toBe(svcSignature(secret, post.body));
      expect(verifyStandardSignature(secret, post)).toEqual(post.event);
    }
  });

  test('is one line in the log, whose details list the events and what was posted', async () => {
    await using inbox = await openInbox();
    const webhook = await create(inbox, batch(2, 60_000), { events: ['message.queued'] });
    // Two events fill the pack.
    await Promise.all([sendText(tenant), sendText(tenant)]);
    const [post] = await inbox.atLeast(1);
    const path = `/v1/webhooks/${webhook.id}/deliveries`;
    const line = await until(
      async () =>
        (await tenant.get(path)).body.data.find((one: { packId: string }) => one.packId === post!.event.id),
      (one) => one?.state === 'delivered',
    );
    expect(line).toMatchObject({ id: id('dlv'), eventCount: 2, attempts: [{ number: 1, status: 200 }] });
    const { body: details } = await tenant.get(`${path}/${line.packId}`);
    expect(details).toMatchObject({
      id: line.id,
      request: { body: post!.body.toString() },
      events: post!.event.events.map((event: { id: string; messageId: string }) => ({
        eventId: event.id,
        messageId: event.messageId,
      })),
    });
    const headers = new Map(
      details.attempts[0].headers.map(({ name, value }: { name: string; value: string }) => [name, value]),
    );
    expect(headers.get('webhook-id')).toBe(line.packId);
    expect(headers.get('webhook-signature')).toBe(post!.headers['webhook-signature']);
    const second = details.events[1].deliveryId;
    expect((await tenant.get(`${path}/${second}`)).body).toMatchObject({ id: second, packId: line.packId });

    const again = await tenant.post(`${path}/${line.packId}/retry`);
    expect(again).toMatchObject({ status: 202, body: { deliveryId: id('dlv') } });
    const posts = await inbox.atLeast(2);
    const reposted = posts.find(({ event }) => event.id !== post!.event.id && event.events.length === 2);
    expect(reposted!.event.events).toEqual(post!.event.events);

    await tenant.post(`${path}/${second}/retry`);
    const alone = await until(
      () => inbox.deliveries().find(({ event }) => event.events.length === 1),
      (one) => one !== undefined,
    );
    expect(alone!.event.events).toEqual([post!.event.events[1]]);
  });

  test('gets a test event in a pack of one, at once', async () => {
    await using inbox = await openInbox();
    const webhook = await create(inbox, batch(10, 60_000));
    const asked = await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    const [post] = await inbox.atLeast(1);
    expect(post!.event).toEqual({
      id: id('bat'),
      events: [expect.objectContaining({ id: asked.body.eventId })],
    });
  });

  test('keeps packs from other tenants', async () => {
    await using inbox = await openInbox();
    const webhook = await create(inbox, batch());
    await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    const [post] = await inbox.atLeast(1);
    const stranger = await newTenant();
    const own = await stranger.post('/v1/webhooks', { url: inbox.url, delivery: batch() });
    for (const webhookId of [webhook.id, own.body.id]) {
      const path = `/v1/webhooks/${webhookId}/deliveries/${post!.event.id}`;
      expect(await stranger.get(path)).toMatchObject(problem('not-found'));
      expect(await stranger.post(`${path}/retry`)).toMatchObject(problem('not-found'));
    }
  });
});
