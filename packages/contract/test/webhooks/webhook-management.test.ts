import {
  type Delivery,
  openInbox,
  subscribe,
  svcSignature,
  verifyStandardSignature,
} from '../suite/inbox.ts';
import { problem } from '../suite/problem.ts';
import { newTenant, sendText, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, someText, timestamp, unknownId } from '../suite/values.ts';

let tenant: Tenant;
beforeEach(async () => {
  tenant = await newTenant();
});

const isTest = ({ event }: Delivery) => event.event === 'webhook.test';
const deliveriesOf = async (webhookId: string, query = '') =>
  (await tenant.get(`/v1/webhooks/${webhookId}/deliveries${query}`)).body.data;

describe('POST /v1/webhooks/:id/test', () => {
  test('delivers a signed webhook.test without a message, whatever the webhook asked for', async () => {
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, inbox, ['message.read']);
    const asked = await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    expect(asked).toMatchObject({ status: 202, body: { deliveryId: id('dlv'), eventId: id('evt') } });
    const [delivery] = await inbox.atLeast(1, isTest);
    expect(delivery!.event).toMatchObject({
      event: 'webhook.test',
      messageId: null,
      id: asked.body.eventId,
      tenantId: tenant.id,
      occurredAt: timestamp,
    });
    expect(delivery!.headers['x-svc-signature']).toBe(svcSignature(webhook.secret, delivery!.body));
    expect(verifyStandardSignature(webhook.secret, delivery!)).toEqual(delivery!.event);
  });
});

describe('a test event that fails', () => {
  test('is not retried; the webhook says why, until an attempt succeeds', async () => {
    await using inbox = await openInbox();
    inbox.behave({ status: 503 });
    const webhook = await subscribe(tenant, inbox, ['message.read']);
    const shown = async () => (await tenant.get(`/v1/webhooks/${webhook.id}`)).body;
    expect(await shown()).toMatchObject({ lastFailure: null });
    await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    const [failed] = await until(
      () => deliveriesOf(webhook.id, '?failedSoFar=true'),
      ([one]) => one?.state === 'failed',
    );
    expect(failed).toMatchObject({ event: 'webhook.test', nextAttemptAt: null, attempts: [{ status: 503 }] });
    expect(await shown()).toMatchObject({
      waiting: 0,
      lastFailure: { at: failed.attempts[0].at, status: 503, error: null },
    });
    inbox.behave({});
    await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    await until(shown, ({ lastFailure }) => lastFailure === null);
    expect(await deliveriesOf(webhook.id, '?failedSoFar=true')).toEqual([failed]);
  });
});

describe('GET /v1/webhooks/:id/deliveries/:deliveryId', () => {
  test('shows the posted body and headers, signatures included, and no secret', async () => {
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, inbox);
    const asked = (await tenant.post(`/v1/webhooks/${webhook.id}/test`)).body;
    const [posted] = await inbox.atLeast(1, isTest);
    const path = `/v1/webhooks/${webhook.id}/deliveries/${asked.deliveryId}`;
    await tenant.post(`/v1/webhooks/${webhook.id}/rotate-secret`);
    const shown = await until(
      async () => (await tenant.get(path)).body,
      ({ state }) => state === 'delivered',
    );
    expect(shown.request).toEqual({ method: 'POST', url: inbox.url, body: posted!.body.toString() });
    const [{ headers }] = shown.attempts;
    for (const { name, value } of headers)
      expect([name, posted!.headers[name.toLowerCase()]]).toEqual([name, value]);
    expect(headers.map(({ name }: { name: string }) => name)).toEqual([
      'Content-Type',
      'User-Agent',
      'X-Svc-Signature',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]);
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    expect(await (await newTenant()).get(path)).toMatchObject({ status: 404 });
  });
});

describe('POST /v1/webhooks/:id/rotate-secret', () => {
  test('answers a new secret, and from then on both sign, the newest first', async () => {
    await using inbox = await openInbox();
    const { id: webhookId, secret: older } = await subscribe(tenant, inbox);
    const rotated = await tenant.post(`/v1/webhooks/${webhookId}/rotate-secret`);
    const { secret, previousSecretUntil } = rotated.body;
    expect(rotated.body).toEqual({
      id: webhookId,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/),
      previousSecretUntil: timestamp,
      warning: someText,
    });
    expect(rotated.status).toBe(200);
    expect(Math.round((Date.parse(previousSecretUntil) - Date.now()) / 3_600_000)).toBe(24);
    expect(secret).not.toBe(older);
    await tenant.post(`/v1/webhooks/${webhookId}/test`);
    const [delivery] = await inbox.atLeast(1, isTest);
    expect(delivery!.headers['x-svc-signature']).toBe(
      [secret, older].map((key) => svcSignature(key, delivery!.body)).join(','),
    );
    for (const key of [secret, older])
      expect(verifyStandardSignature(key, delivery!)).toEqual(delivery!.event);
  });

  test('rotated again, every secret that was promised 24 hours goes on signing, the newest first', async () => {
    await using inbox = await openInbox();
    const { id: webhookId, secret: first } = await subscribe(tenant, inbox);
    const keys = [first];
    for (let rotations = 0; rotations < 3; rotations += 1)
      keys.unshift((await tenant.post(`/v1/webhooks/${webhookId}/rotate-secret`)).body.secret);
    await tenant.post(`/v1/webhooks/${webhookId}/test`);
    const [delivery] = await inbox.atLeast(1, isTest);
    expect(delivery!.headers['x-svc-signature']).toBe(
      keys.map((key) => svcSignature(key, delivery!.body)).join(','),
    );
    for (const key of keys) expect(verifyStandardSignature(key, delivery!)).toEqual(delivery!.event);
  });

  test('refuses the eleventh rotation within 24 hours, and says when there can be another', async () => {
    await using inbox = await openInbox();
    const { id: webhookId } = await subscribe(tenant, inbox);
    const first = await tenant.post(`/v1/webhooks/${webhookId}/rotate-secret`);
    for (let rotations = 2; rotations <= 10; rotations += 1)
      expect(await tenant.post(`/v1/webhooks/${webhookId}/rotate-secret`)).toMatchObject({ status: 200 });
    expect(await tenant.post(`/v1/webhooks/${webhookId}/rotate-secret`)).toMatchObject({
      status: 409,
      body: { code: 'limit-reached', detail: expect.stringContaining(first.body.previousSecretUntil) },
    });
  });
});

describe('PATCH /v1/webhooks/:id', () => {
  test('sends what comes from then on to the new URL', async () => {
    await using former = await openInbox();
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, former);
    const changed = await tenant.patch(`/v1/webhooks/${webhook.id}`, {
      url: inbox.url,
      events: ['message.sent'],
      description: 'shop',
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { id: webhook.id, url: inbox.url, events: ['message.sent'], description: 'shop' },
    });
    await sendText(tenant);
    const [delivery] = await inbox.atLeast(1);
    expect(delivery!.event.event).toBe('message.sent');
    expect(former.deliveries()).toEqual([]);
  });

  test.each([
    ['a url', { url: 'ftp://example.com' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an event', { events: ['other'] }, 'events'],
    ['a field that there is not', { secret: 'mine' }, 'secret'],
  ])('refuses what creation refuses: %s', async (_what, change, at) => {
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, inbox);
    const response = await tenant.patch(`/v1/webhooks/${webhook.id}`, change);
    expect(response).toMatchObject(problem('invalid-request', at));
  });
});

describe('the deliveries of a webhook', () => {
  test('show each attempt and the beginning of its answer; retry makes another one of the same event', async () => {
    await using inbox = await openInbox();
    inbox.behave({ status: 200, body: 'y'.repeat(5_000) });
    const webhook = await subscribe(tenant, inbox);
    const { body: asked } = await tenant.post(`/v1/webhooks/${webhook.id}/test`);
    const [delivered] = await until(
      () => deliveriesOf(webhook.id, '?state=delivered'),
      ({ length }) => length === 1,
    );
    expect(delivered).toMatchObject({
      id: asked.deliveryId,
      eventId: asked.eventId,
      event: 'webhook.test',
      state: 'delivered',
      endedAt: timestamp,
      attempts: [{ number: 1, status: 200, error: null, answer: 'y'.repeat(4_096), at: timestamp }],
    });
    const again = await tenant.post(`/v1/webhooks/${webhook.id}/deliveries/${asked.deliveryId}/retry`);
    expect(again).toMatchObject({ status: 202, body: { eventId: asked.eventId } });
    const posts = await inbox.atLeast(2);
    expect(posts.map(({ event }) => event.id)).toEqual([asked.eventId, asked.eventId]);
    const unknown = `/v1/webhooks/${webhook.id}/deliveries/${unknownId('dlv')}/retry`;
    expect(await tenant.post(unknown)).toMatchObject(problem('not-found'));
  });

  test('come in pages, newest first', async () => {
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, inbox);
    const path = `/v1/webhooks/${webhook.id}`;
    const asked: string[] = [];
    for (let count = 0; count < 3; count += 1)
      asked.unshift((await tenant.post(`${path}/test`)).body.deliveryId);
    await until(
      () => deliveriesOf(webhook.id, '?state=delivered'),
      ({ length }) => length === 3,
    );
    const page = async (query: string) =>
      (await tenant.get(`${path}/deliveries?limit=2&state=delivered${query}`)).body;
    const first = await page('');
    const rest = await page(`&cursor=${first.nextCursor}`);
    expect([...first.data, ...rest.data].map((one: { id: string }) => one.id)).toEqual(asked);
    expect(rest.nextCursor).toBeNull();
  });

  test.each(['state=other', 'limit=0', 'limit=101', 'cursor=x', 'page=2'])(
    'cannot be asked for with %s',
    async (query) => {
      await using inbox = await openInbox();
      const webhook = await subscribe(tenant, inbox);
      const answer = await tenant.get(`/v1/webhooks/${webhook.id}/deliveries?${query}`);
      expect(answer).toMatchObject(problem('invalid-request', `query/${query.split('=')[0]}`));
    },
  );

  test('410 disables the webhook, and says why; it gets no test, retry or replay until it is enabled', async () => {
    await using inbox = await openInbox();
    inbox.behave({ status: 410 });
    const webhook = await subscribe(tenant, inbox, ['message.queued']);
    await sendText(tenant);
    const disabled = await until(
      async () => (await tenant.get(`/v1/webhooks/${webhook.id}`)).body,
      ({ isActive }) => !isActive,
    );
    expect(disabled.disabledReason).toContain('410');
    const [{ id: deliveryId }] = await until(
      () => deliveriesOf(webhook.id),
      ([one]) => one?.state === 'skipped',
    );
    const since = new Date(Date.now() - 600_000).toISOString();
    const refused = [
      await tenant.post(`/v1/webhooks/${webhook.id}/test`),
      await tenant.post(`/v1/webhooks/${webhook.id}/deliveries/${deliveryId}/retry`),
      await tenant.post(`/v1/webhooks/${webhook.id}/replay`, { since }),
    ];
    for (const answer of refused) {
      expect(answer).toMatchObject(problem('invalid-request', 'id'));
      expect(answer.body.errors[0].message).toBe('is a disabled webhook; enable it first');
    }
  });
});

describe('POST /v1/webhooks/:id/replay', () => {
  test.each([
    ['no time', {}],
    ['what is no time', { since: 'yesterday' }],
    ['a time in the future', { since: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('refuses %s', async (_what, body) => {
    await using inbox = await openInbox();
    const webhook = await subscribe(tenant, inbox);
    const answer = await tenant.post(`/v1/webhooks/${webhook.id}/replay`, body);
    expect(answer).toMatchObject(problem('invalid-request', 'since'));
  });

  test('delivers what came while the webhook was disabled, and nothing twice', async () => {
    await using inbox = await openInbox();
    const since = new Date(Date.now() - 600_000).toISOString();
    const webhook = await subscribe(tenant, inbox, ['message.queued']);
    const before = await sendText(tenant);
    await inbox.atLeast(1);
    await until(
      () => deliveriesOf(webhook.id, '?state=delivered'),
      ({ length }) => length === 1,
    );
    await tenant.patch(`/v1/webhooks/${webhook.id}/disable`);
    const missed = [await sendText(tenant), await sendText(tenant)];
    await tenant.patch(`/v1/webhooks/${webhook.id}/enable`);
    const replay = await tenant.post(`/v1/webhooks/${webhook.id}/replay`, { since });
    const counted = { events: 2, eventsComplete: true };
    expect(replay).toMatchObject({ status: 202, body: { since, until: timestamp, ...counted } });
    const deliveries = await inbox.atLeast(3);
    expect(deliveries).toHaveLength(3);
    expect(new Set(deliveries.map(({ event }) => event.messageId))).toEqual(new Set([before, ...missed]));
  });
});
