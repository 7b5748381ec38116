import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

const url = 'https://example.com/hook';
const all = ['message.queued', 'message.sent', 'message.delivered', 'message.read', 'message.failed'];
const unknownId = 'wh_01912d68-783e-7a52-9d3a-6c4f2b1e8a90';

async function make(own: Caller, body: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await own.manage('post', '/v1/webhooks', { url, ...body }).expect(201);
  return answer.body;
}

function row(id: string) {
  return service.db
    .selectFrom('webhooks')
    .selectAll()
    .where('id', '=', id.slice(3))
    .executeTakeFirstOrThrow();
}

test('a webhook is answered once with its secret, gets all five events, and is listed without it', async () => {
  const own = await service.tenant();
  const { body } = await own.manage('post', '/v1/webhooks', { url, events: null }).expect(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^wh_[0-9a-f-]{36}$/),
    url,
    events: all,
    isActive: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    warning: expect.any(String),
  });
  const listed = await own.manage('get', '/v1/webhooks').expect(200);
  expect(listed.body).toEqual([
    {
      id: body.id,
      url,
      events: all,
      isActive: true,
      lastTriggeredAt: null,
      failureCount: 0,
      createdAt: expect.stringMatching(/\.\d{3}Z$/),
      description: null,
      disabledReason: null,
      state: 'healthy',
      failingSince: null,
      nextAttemptAt: null,
      waiting: 0,
      lastSuccessAt: null,
      previousSecretUntil: null,
      replay: null,
    },
  ]);
  const single = await own.manage('get', `/v1/webhooks/${body.id.slice(3)}`).expect(200);
  expect(single.body).toEqual(listed.body[0]);
});

test('the secret is stored sealed, for its row alone', async () => {
  const { id, secret } = await make(caller);
  const { secret: sealed } = await row(id);
  expect(sealed).not.toContain(secret.slice(6));
  const place = { tenantId: caller.tenantId, table: 'webhooks', row: id.slice(3), column: 'secret' };
  expect(service.deps.secrets.open(sealed, place)).toBe(secret);
});

test('no two webhooks have one secret', async () => {
  const [one, two] = [await make(caller), await make(caller)];
  expect(one.secret).not.toBe(two.secret);
});

test.each([
  ['url is missing', {}, 'body/url'],
  ['url is null', { url: null }, 'body/url'],
  ['url is empty', { url: '' }, 'body/url'],
  ['url is a number', { url: 1 }, 'body/url'],
  ['url is too long', { url: `https://example.com/${'x'.repeat(2048)}` }, 'body/url'],
  ['url is relative', { url: '/hook' }, 'body/url'],
  ['url has no slashes', { url: 'https:example.com' }, 'body/url'],
  ['url is not http', { url: 'ftp://example.com/' }, 'body/url'],
  ['url has a password', { url: 'https://u:p@example.com/' }, 'body/url'],
  ['url has a space', { url: 'https://example.com/a b' }, 'body/url'],
  ['url is link-local', { url: 'https://169.254.169.254/latest' }, 'body/url'],
  ['events is empty', { url, events: [] }, 'body/events'],
  ['events is no list', { url, events: 'message.sent' }, 'body/events'],
  ['an event is unknown', { url, events: ['message.sent', 'message.lost'] }, 'body/events/1'],
  ['an event is there twice', { url, events: ['message.sent', 'message.sent'] }, 'body/events'],
  ['a field is unknown', { url, secret: 'whsec_mine' }, 'body/secret'],
])('a webhook is refused when %s', async (_why, body, at) => {
  const answer = await caller.manage('post', '/v1/webhooks', body).expect(422);
  expect(answer.body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
});

test('in development http and loopback are taken; where private addresses are off they are not', async () => {
  await make(caller, { url: 'http://127.0.0.1:9000/hook' });
  await using strict = await messagingApp({ allowPrivateWebhooks: false, egressAllow: ['10.0.0.5/32:8443'] });
  const own = await strict.tenant();
  const forbidden = [
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.6/',
    'https://2130706433/',
  ];
  for (const refused of forbidden) {
    const { body } = await own.manage('post', '/v1/webhooks', { url: refused }).expect(422);
    expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at: 'body/url' }] });
  }
  await own.manage('post', '/v1/webhooks', { url: 'https://10.0.0.5:8443/' }).expect(201);
});

test('a webhook above the limit is 409 limit-reached, however many calls race', async () => {
  await using small = await messagingApp({ maxWebhooks: 3 });
  const own = await small.tenant();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => own.manage('post', '/v1/webhooks', { url })),
  );
  expect(answers.map((answer) => answer.status).filter((status) => status === 201)).toHaveLength(3);
  const refused = answers.filter((answer) => answer.status !== 201);
  expect(new Set(refused.map((answer) => `${answer.status} ${answer.body.code}`))).toEqual(
    new Set(['409 limit-reached']),
  );
  const [first] = (await own.manage('get', '/v1/webhooks')).body;
  await own.manage('delete', `/v1/webhooks/${first.id}`).expect(204);
  await own.manage('post', '/v1/webhooks', { url }).expect(201);
});

test('disable keeps the webhook, skips what waits, and leaves what is in flight to its worker', async () => {
  const own = await service.tenant();
  const { id } = await make(own, { events: ['message.queued'] });
  const messages = Array.from({ length: 3 }, () => ({ to: '+15550001000', text: 'x' }));
  await own.notify('post', '/sms/bulk', { messages }).expect(202);
  const due = await service.db
    .selectFrom('delivery_due')
    .select('id')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(due).toHaveLength(3);
  const inFlight = due[0]!.id;
  const later = new Date(Date.now() + 60_000);
  await service.db
    .updateTable('delivery_due')
    .set({ claimed_until: later })
    .where('id', '=', inFlight)
    .execute();

  const { body } = await own.manage('patch', `/v1/webhooks/${id}/disable`).expect(200);
  expect(body).toMatchObject({ id, isActive: false, disabledReason: null });
  const left = await service.db
    .selectFrom('delivery_due')
    .select('id')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(left).toEqual([{ id: inFlight }]);
  const ended = await service.db
    .selectFrom('deliveries')
    .select('state')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(ended).toEqual([{ state: 'skipped' }, { state: 'skipped' }]);

  await own.notify('post', '/sms/text', messages[0]).expect(202);
  const after = await service.db
    .selectFrom('delivery_due')
    .select('id')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(after).toHaveLength(1);
});

test('enable forgets the failures, begins a new generation, and wakes the webhook', async () => {
  const { id } = await make(caller);
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
  const { body } = await caller.manage('patch', `/v1/webhooks/${id}/enable`).expect(200);
  expect(body).toMatchObject({ id, isActive: true, failureCount: 0, disabledReason: null });
  expect(await row(id)).toMatchObject({
    generation: 2,
    failing_since: null,
    paused_until: null,
    lane: 'fast',
  });
  expect(service.wakes).toContain(`webhooks fast ${id.slice(3)}`);
  await caller.manage('patch', `/v1/webhooks/${id}/disable`).expect(200);
  expect(await row(id)).toMatchObject({ generation: 3 });
});

test('delete removes the webhook and what waits for it', async () => {
  const own = await service.tenant();
  const { id } = await make(own);
  await own.notify('post', '/sms/text', { to: '+15550001000', text: 'x' }).expect(202);
  await own.manage('delete', `/v1/webhooks/${id}`).expect(204, '');
  const due = await service.db
    .selectFrom('delivery_due')
    .select('id')
    .where('webhook_id', '=', id.slice(3))
    .execute();
  expect(due).toEqual([]);
  expect((await own.manage('get', '/v1/webhooks')).body).toEqual([]);
  await own.manage('delete', `/v1/webhooks/${id}`).expect(404);
});

test('another tenant’s webhook, an unknown one and what is no id are the same 404', async () => {
  const other = await service.tenant();
  const { id: foreign } = await make(other);
  for (const id of [foreign, unknownId, 'x', '%00', 'msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90']) {
    const answers = [
      await caller.manage('get', `/v1/webhooks/${id}`),
      await caller.manage('delete', `/v1/webhooks/${id}`),
      await caller.manage('patch', `/v1/webhooks/${id}/enable`),
      await caller.manage('patch', `/v1/webhooks/${id}/disable`),
    ];
    expect(answers.map((answer) => `${answer.status} ${answer.body.code}`)).toEqual(
      Array(4).fill('404 not-found'),
    );
  }
  expect((await caller.manage('get', '/v1/webhooks')).body).not.toContainEqual(
    expect.objectContaining({ id: foreign }),
  );
  expect(await row(foreign)).toMatchObject({ is_active: true, generation: 1 });
});

test('without a token every webhook route is 401', async () => {
  for (const [method, path] of [
    ['get', ''],
    ['post', ''],
    ['delete', `/${unknownId}`],
    ['patch', `/${unknownId}/enable`],
    ['patch', `/${unknownId}/disable`],
  ] as const) {
    const { status, body } = await caller.manage(method, `/v1/webhooks${path}`).set('Authorization', '');
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  }
});
