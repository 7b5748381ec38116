import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
});
beforeEach(async () => {
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

async function make(body: object = {}): Promise<{ id: string; secret: string }> {
  const url = 'https://example.com/hook';
  const answer = await caller.manage('post', '/v1/webhooks', { url, ...body }).expect(201);
  return answer.body;
}

function row(id: string) {
  return service.db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id.slice(3))
    .executeTakeFirstOrThrow();
}

/** The deliveries of the webhook that wait. */
function due(id: string) {
  return service.db.selectFrom('delivery_due').select('id').where('webhook_id', '=', id.slice(3)).execute();
}

test('the secret is stored sealed, for its row alone', async () => {
  const { id, secret } = await make();
  const { secret: sealed } = await row(id);
  expect(sealed).not.toContain(secret.slice(6));
  const place = { tenantId: caller.tenantId, table: 'webhooks', row: id.slice(3), column: 'secret' };
  expect(service.parts.secrets.open(sealed, place)).toBe(secret);
});

test('disable skips what waits, and leaves what is in flight to its worker', async () => {
  const { id } = await make({ events: ['message.queued'] });
  const messages = Array.from({ length: 3 }, () => ({ to: '+15550001000', text: 'x' }));
  await caller.notify('post', '/sms/bulk', { messages }).expect(202);
  const waiting = await due(id);
  expect(waiting).toHaveLength(3);
  const inFlight = waiting[0]!.id;
  const later = new Date(Date.now() + 60_000);
  await service.db
    .updateTable('delivery_due')
    .set({ claimed_until: later })
    .where('id', '=', inFlight)
    .execute();

  await caller.manage('patch', `/v1/webhooks/${id}/disable`).expect(200);
  expect(await due(id)).toEqual([{ id: inFlight }]);
  const ended = await service.db
    .selectFrom('deliveries')
    .select('state')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(ended).toEqual([{ state: 'skipped' }, { state: 'skipped' }]);

  await caller.notify('post', '/sms/text', messages[0]).expect(202);
  expect(await due(id)).toHaveLength(1);
});

test('enable forgets the failures, begins a new generation, and wakes the webhook', async () => {
  const { id } = await make();
  await service.db
    .updateTable('webhooks')
    .set({
      is_active: false,
      disabled_reason: 'gone',
      failure_count: 7,
      failing_since: new Date(),
      paused_until: new Date(Date.now() + 60_000),
      lane: 'slow',
    })
    .where('id', '=', id.slice(3))
    .execute();
  await caller.manage('patch', `/v1/webhooks/${id}/enable`).expect(200);
  expect(await row(id)).toMatchObject({
    is_active: true,
    failure_count: 0,
    disabled_reason: null,
    generation: 2,
    failing_since: null,
    paused_until: null,
    lane: 'fast',
  });
  expect(service.wakes).toContain(`webhooks fast ${id.slice(3)}`);
  await caller.manage('patch', `/v1/webhooks/${id}/disable`).expect(200);
  expect(await row(id)).toMatchObject({ generation: 3 });
});

test('another URL begins a new generation; the same, other events or a description do not', async () => {
  const { id } = await make();
  const change = (body: object) => caller.manage('patch', `/v1/webhooks/${id}`, body).expect(200);
  await change({ description: 'orders' });
  await change({ url: 'https://example.com/hook', events: ['message.read'] });
  expect((await row(id)).generation).toBe(1);
  await change({ url: 'https://example.com/other' });
  expect(await row(id)).toMatchObject({
    generation: 2,
    url: 'https://example.com/other',
    events: ['message.read'],
    description: 'orders',
  });
  await change({ description: '' });
  expect((await row(id)).description).toBeNull();
});

test('delete removes what waits for the webhook', async () => {
  const { id } = await make();
  await caller.notify('post', '/sms/text', { to: '+15550001000', text: 'x' }).expect(202);
  await caller.manage('delete', `/v1/webhooks/${id}`).expect(204);
  expect(await due(id)).toEqual([]);
});

test('a secret that was rotated is stored sealed for its new place', async () => {
  const { id, secret } = await make();
  const { body } = await caller.manage('post', `/v1/webhooks/${id}/rotate-secret`).expect(200);
  const stored = await row(id);
  const place = { tenantId: stored.tenant_id, table: 'webhooks', row: stored.id };
  expect(service.parts.secrets.open(stored.secret, { ...place, column: 'secret' })).toBe(body.secret);
  expect(service.parts.secrets.open(stored.previous_secret!, { ...place, column: 'previous_secret' })).toBe(
    secret,
  );
});

test('a secret that cannot be opened any more is rotated away, and does not sign beside the new one', async () => {
  const { id } = await make();
  await service.db.updateTable('webhooks').set({ secret: 'v9.lost' }).where('id', '=', id.slice(3)).execute();
  const { body } = await caller.manage('post', `/v1/webhooks/${id}/rotate-secret`).expect(200);
  expect(Date.parse(body.previousSecretUntil)).toBeLessThanOrEqual(Date.now() + 60_000);
  const stored = await row(id);
  expect(stored.previous_secret).toBeNull();
  const place = { tenantId: stored.tenant_id, table: 'webhooks', row: stored.id, column: 'secret' };
  expect(service.parts.secrets.open(stored.secret, place)).toBe(body.secret);
});

test('a test event waits to be delivered, is listed, and can be tried at once', async () => {
  const { id } = await make();
  const path = `/v1/webhooks/${id}`;
  const { body: asked } = await caller.manage('post', `${path}/test`).expect(202);
  const { body: page } = await caller.manage('get', `${path}/deliveries`).expect(200);
  expect(page).toEqual({
    data: [
      {
        id: asked.deliveryId,
        packId: null,
        eventCount: 1,
        eventId: asked.eventId,
        event: 'webhook.test',
        messageId: null,
        recipient: null,
        state: 'waiting',
        reason: null,
        nextAttemptAt: expect.any(String),
        createdAt: expect.any(String),
        endedAt: null,
        attempts: [],
      },
    ],
    nextCursor: null,
  });
  const { body: again } = await caller
    .manage('post', `${path}/deliveries/${asked.deliveryId}/retry`)
    .expect(202);
  expect(again).toEqual(asked);
});
