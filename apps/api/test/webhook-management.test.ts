import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let own: Caller;
let id: string;
let secret: string;
beforeAll(async () => {
  service = await messagingApp();
});
beforeEach(async () => {
  own = await service.tenant();
  const { body } = await own.manage('post', '/v1/webhooks', { url: 'https://example.com/hook' }).expect(201);
  ({ id, secret } = body);
});
afterAll(() => service[Symbol.asyncDispose]());

const path = (rest = '') => `/v1/webhooks/${id}${rest}`;
const row = () =>
  service.db.selectFrom('webhooks').selectAll().where('id', '=', id.slice(3)).executeTakeFirstOrThrow();

test('PATCH changes what is given and keeps the rest; another URL begins a new generation, the same does not', async () => {
  const described = await own.manage('patch', path(), { description: 'orders' }).expect(200);
  expect(described.body).toMatchObject({ id, url: 'https://example.com/hook', description: 'orders' });
  await own
    .manage('patch', path(), { url: 'https://example.com/hook', events: ['message.read'] })
    .expect(200);
  expect((await row()).generation).toBe(1);
  const moved = await own.manage('patch', path(), { url: 'https://example.com/other' }).expect(200);
  expect(moved.body).toMatchObject({
    url: 'https://example.com/other',
    events: ['message.read'],
    description: 'orders',
  });
  expect((await row()).generation).toBe(2);
  expect((await own.manage('patch', path(), { description: '' }).expect(200)).body.description).toBeNull();
});

test('PATCH refuses what making a webhook refuses', async () => {
  for (const body of [{ url: 'ftp://example.com' }, { events: [] }, { events: ['other'] }, { secret: 'x' }])
    await own.manage('patch', path(), body).expect(422);
});

test('a rotated secret is shown once; the one before is sealed for its new place and signs for 24 h', async () => {
  const { body } = await own.manage('post', path('/rotate-secret')).expect(200);
  expect(body).toEqual({
    id,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    previousSecretUntil: expect.stringMatching(/\.\d{3}Z$/),
    warning: expect.any(String),
  });
  expect(body.secret).not.toBe(secret);
  const hours = (Date.parse(body.previousSecretUntil) - Date.now()) / 3_600_000;
  expect(Math.round(hours)).toBe(24);
  const stored = await row();
  const place = { tenantId: stored.tenant_id, table: 'webhooks', row: stored.id };
  expect(service.deps.secrets.open(stored.secret, { ...place, column: 'secret' })).toBe(body.secret);
  expect(service.deps.secrets.open(stored.previous_secret!, { ...place, column: 'previous_secret' })).toBe(
    secret,
  );
});

test('a secret that cannot be opened any more is rotated away, and does not sign beside the new one', async () => {
  await service.db
    .updateTable('webhooks')
    .set({ secret: 'v9.lost' })
    .where('id', '=', (await row()).id)
    .execute();
  const { body } = await own.manage('post', path('/rotate-secret')).expect(200);
  expect(Date.parse(body.previousSecretUntil)).toBeLessThanOrEqual(Date.now() + 60_000);
  const stored = await row();
  expect(stored.previous_secret).toBeNull();
  const place = { tenantId: stored.tenant_id, table: 'webhooks', row: stored.id, column: 'secret' };
  expect(service.deps.secrets.open(stored.secret, place)).toBe(body.secret);
});

test('a test event waits to be delivered, is listed, and can be tried at once', async () => {
  const { body: asked } = await own.manage('post', path('/test')).expect(202);
  const { body: page } = await own.manage('get', path('/deliveries')).expect(200);
  expect(page).toEqual({
    data: [
      {
        id: asked.deliveryId,
        eventId: asked.eventId,
        event: 'webhook.test',
        messageId: null,
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
  const { body: again } = await own.manage('post', path(`/deliveries/${asked.deliveryId}/retry`)).expect(202);
  expect(again).toEqual(asked);
});

test('deliveries come in pages; what is no state, limit or cursor is refused', async () => {
  const asked: string[] = [];
  for (let count = 0; count < 3; count += 1)
    asked.unshift((await own.manage('post', path('/test')).expect(202)).body.deliveryId);
  const { body: first } = await own.manage('get', path('/deliveries?limit=2&state=waiting')).expect(200);
  const { body: rest } = await own
    .manage('get', path(`/deliveries?limit=2&state=waiting&cursor=${first.nextCursor}`))
    .expect(200);
  expect([...first.data, ...rest.data].map((one: { id: string }) => one.id)).toEqual(asked);
  expect(rest.nextCursor).toBeNull();
  for (const query of ['state=other', 'limit=0', 'limit=101', 'cursor=x', 'page=2'])
    await own.manage('get', path(`/deliveries?${query}`)).expect(422);
});

test('a replay says which time it goes through, and takes a time only', async () => {
  const since = '2026-01-31T09:30:00.000Z';
  const { body } = await own.manage('post', path('/replay'), { since }).expect(202);
  expect(body).toEqual({ since, until: expect.stringMatching(/\.\d{3}Z$/) });
  await own.manage('post', path('/replay'), {}).expect(422);
  await own.manage('post', path('/replay'), { since: 'yesterday' }).expect(422);
  const ahead = { since: new Date(Date.now() + 60_000).toISOString() };
  const { body: refused } = await own.manage('post', path('/replay'), ahead).expect(422);
  expect(refused.errors).toEqual([{ at: 'body/since', message: 'must not be in the future' }]);
});

test('a disabled webhook gets no test, retry or replay, and says so', async () => {
  const { body: asked } = await own.manage('post', path('/test')).expect(202);
  await own.manage('patch', path('/disable')).expect(200);
  const since = { since: '2026-01-31T09:30:00.000Z' };
  const refused = [
    await own.manage('post', path('/test')),
    await own.manage('post', path(`/deliveries/${asked.deliveryId}/retry`)),
    await own.manage('post', path('/replay'), since),
  ];
  for (const { status, body } of refused)
    expect([status, body.code, body.errors[0].message]).toEqual([
      422,
      'invalid-request',
      'is a disabled webhook; enable it first',
    ]);
});

test('another tenant’s webhook is not found', async () => {
  const other = await service.tenant();
  const since = { since: '2026-01-31T09:30:00.000Z' };
  const unknown = '/deliveries/dlv_01912d68-783e-7a52-9d3a-6c4f2b1e8a90/retry';
  await other.manage('patch', path(), { description: 'x' }).expect(404);
  await other.manage('get', path('/deliveries')).expect(404);
  for (const [rest, body] of [['/rotate-secret'], ['/test'], [unknown], ['/replay', since]] as const)
    await other.manage('post', path(rest), body).expect(404);
  await own.manage('post', path(unknown)).expect(404);
});
