import type { Response } from 'supertest';
import { type DescribedOperation, operationsOf } from '../suite/operations.ts';
import { problem } from '../suite/problem.ts';
import { anybody, kindOf, makeResources, type Resources } from '../suite/resources.ts';
import { messageWhen, newKey, newTenant, type Tenant } from '../suite/tenant.ts';
import { phone, withoutPrefix } from '../suite/values.ts';

/** The sends, whose answer to another tenant's `channelAccountId` is no 404. */
const sends = [
  ...['text', 'media', 'template', 'interactive', 'bulk', 'alertmanager'].map(
    (kind) => `post /v1/notify/{channel}/${kind}`,
  ),
  'post /v1/messages',
  'post /v1/messages/{id}/resend',
  'post /v1/notify/send',
  'post /v1/notify/verifications',
  'post /v1/groups',
];

/** What is read of an account alone; another tenant's has nothing to show. */
const filtered = [
  'get /v1/usage',
  'get /v1/messages',
  'get /v1/notify/messages',
  'get /v1/conversations',
  'get /v1/notify/conversations',
  'get /v1/consent',
  'get /v1/events',
  'get /v1/events/stream',
];

/** What cancels by filter; another tenant's account has nothing to cancel. */
const cancels = ['post /v1/messages/cancel', 'post /v1/notify/messages/cancel'];

/** The accounts of a new key and of a webhook's filter; another tenant's are a 422. */
const narrowed = ['post /tenant/api-keys', 'post /v1/webhooks', 'patch /v1/webhooks/{id}'];

/** What names a message of the conversation in the path; another one is a 422. */
const marks = ['post /v1/conversations/{id}/read', 'post /v1/notify/conversations/{id}/read'];

/** A stream that does not end by itself. `events.test.ts` has its isolation. */
const endless = '/v1/events/stream';

let owner: Tenant;
let stranger: Tenant;
let owned: Resources;
let strangers: Resources;
let operations: readonly DescribedOperation[];
beforeAll(async () => {
  owner = await newTenant();
  stranger = await newTenant();
  owned = await makeResources(owner);
  strangers = await makeResources(stranger);
  await messageWhen(owner, owned.message, ({ status }) => status === 'delivered');
  operations = operationsOf(await owner.service.openApi());
});

const withIds = () => operations.filter(({ ids }) => ids.length > 0);
const nameOf = ({ method, path }: DescribedOperation) => `${method} ${path}`;

/** A key of the tenant with every scope, made once. */
const keys = new Map<Tenant, Promise<string>>();
function wholeKey(tenant: Tenant): Promise<string> {
  const scopes = ['send', 'read', 'list', 'cancel', 'conversations:read', 'conversations:write'];
  const key = keys.get(tenant) ?? newKey(tenant.service, tenant.accessToken, 10_000, { scopes });
  keys.set(tenant, key);
  return key;
}

/** Calls the operation as this tenant, with these for the ids in its path and the document's example for its body. */
async function call(
  tenant: Tenant,
  operation: DescribedOperation,
  idOf: (parameter: string) => string,
): Promise<Response> {
  const { method, path, credential, body } = operation;
  const { accessToken: bearer } = tenant;
  const apiKey = await wholeKey(tenant);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    parameter === 'recipient' ? encodeURIComponent(anybody) : idOf(parameter),
  );
  const credentials = credential === 'apiKey' ? { apiKey } : { bearer };
  return tenant.service.call(method, filled, { ...credentials, ...(body === undefined ? {} : { body }) });
}

/** The ways to write another tenant's id; each must lead nowhere. */
const spellings: readonly (readonly [string, (id: string) => string])[] = [
  ['as it is shown', (id) => id],
  ['without its prefix', withoutPrefix],
  ['in capitals', (id) => id.toUpperCase()],
];

/** All that the owner can read of what the stranger tries. What changes by being read is left out. */
async function ownersView(): Promise<string> {
  const lists = [
    '/auth/me',
    '/auth/sessions',
    '/tenant/api-keys',
    '/tenant/service-tokens',
    '/v1/webhooks',
    '/v1/channel-accounts',
    '/v1/messages?direction=all',
    '/v1/conversations',
    '/v1/consent',
  ];
  const read = await Promise.all([
    ...[...lists, `/v1/webhooks/${owned.webhook}`, `/v1/channel-accounts/${owned.account}`].map(owner.get),
    owner.message(owned.message),
  ]);
  const health = [
    'lastTriggeredAt',
    'lastFailure',
    'failureCount',
    'state',
    'failingSince',
    'nextAttemptAt',
    'waiting',
  ];
  const passing = ['lastUsedAt', ...health];
  return JSON.stringify(
    read.map(({ body }) => body),
    (name, value) => (passing.includes(name) ? undefined : value),
  );
}

test('the document has operations with ids, of every kind', () => {
  const found = withIds().flatMap((operation) =>
    operation.ids.map((parameter) => kindOf(operation, parameter)),
  );
  expect(new Set(found)).toEqual(new Set(Object.keys(owned)));
});

test.each(spellings)(
  'every operation answers 404 to another tenant’s ids %s, and nothing changes',
  async (_how, spell) => {
    const before = await ownersView();
    const answers: Record<string, unknown> = {};
    for (const operation of withIds()) {
      const answer = await call(stranger, operation, (parameter) =>
        spell(owned[kindOf(operation, parameter)]),
      );
      answers[nameOf(operation)] = [answer.status, answer.body.code];
    }
    expect(answers).toEqual(Object.fromEntries(withIds().map((one) => [nameOf(one), [404, 'not-found']])));
    expect(await ownersView()).toEqual(before);
  },
);

test('an id of one’s own does not open the way to another tenant’s behind it', async () => {
  const several = withIds().filter(({ ids }) => ids.length > 1);
  expect(several).not.toEqual([]);
  for (const operation of several) {
    for (const foreign of operation.ids) {
      const idOf = (parameter: string) =>
        (parameter === foreign ? owned : strangers)[kindOf(operation, parameter)];
      expect(await call(stranger, operation, idOf)).toMatchObject(problem('not-found'));
    }
  }
});

test('ownership alone decides: the same calls with ids of one’s own lead somewhere', async () => {
  for (const operation of withIds()) {
    // One of its own for each, because a tenant may not have so many of everything.
    const tenant = await newTenant();
    // A file belongs to its key, too: messages/files.test.ts.
    if (operation.path.startsWith('/v1/notify/files/')) continue;
    const own = await makeResources(tenant);
    const answer = await call(tenant, operation, (parameter) => own[kindOf(operation, parameter)]);
    expect([nameOf(operation), answer.status]).not.toEqual([nameOf(operation), 404]);
  }
});

test('ids stand nowhere else than in paths, in the sends’ and filters’ channelAccountId, and in filters of messages', () => {
  const others = operations.filter(({ otherIds }) => otherIds.length > 0);
  expect(others.map(nameOf).toSorted()).toEqual(
    [...sends, ...filtered, ...cancels, ...marks, ...narrowed].toSorted(),
  );
  const elsewhere = others.filter((operation) => ![...marks, ...narrowed].includes(nameOf(operation)));
  // That of another tenant’s file is in messages/files.test.ts. `threadId` is a topic of Telegram and `id` that of a button, no ID of ours.
  const inLists = new Set(['channelAccountId', 'externalId', 'fileId', 'groupId', 'id', 'threadId']);
  expect(new Set(elsewhere.flatMap(({ otherIds }) => otherIds))).toEqual(inLists);
});

describe('another tenant’s channelAccountId', () => {
  const text = () => ({ to: phone(), text: 'hi', channelAccountId: owned.account });

  test('is refused by a text', async () => {
    expect(await stranger.send('sms/text', text())).toMatchObject(problem('channel-account-not-found'));
  });

  test('is refused by a text that is sent by hand', async () => {
    const byHand = { channel: 'sms', ...text() };
    expect(await stranger.post('/v1/messages', byHand)).toMatchObject(problem('channel-account-not-found'));
  });

  test('finds no messages to cancel', async () => {
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const sent = await owner.send('sms/text', { ...text(), sendAt });
    const filter = { channelAccountId: owned.account };
    for (const dryRun of [true, false]) {
      const { status, body } = await stranger.post('/v1/messages/cancel', { filter, dryRun });
      expect([status, body]).toEqual([200, { matched: 0, canceled: 0, more: false }]);
    }
    expect((await owner.message(sent.body.id)).body.status).toBe('queued');
  });

  test('finds no messages', async () => {
    const { status, body } = await stranger.get(`/v1/messages?channelAccountId=${owned.account}`);
    expect([status, body.data]).toEqual([200, []]);
  });

  test('finds no messages by their group, the provider’s id or the idempotency key', async () => {
    const keyed = await owner.send('sms/text', { to: phone(), text: 'hi', idempotencyKey: 'only once' });
    const sent = await messageWhen(owner, keyed.body.id, ({ externalId }) => externalId !== null);
    const { channelAccountId, externalId } = sent;
    for (const query of [
      { groupId: owned.group },
      { externalId },
      { externalId, channelAccountId },
      { idempotencyKey: 'only once' },
    ]) {
      const path = `/v1/messages?${new URLSearchParams(query).toString()}`;
      expect((await stranger.get(path)).body.data).toEqual([]);
      expect((await owner.get(path)).body.data).toHaveLength(1);
    }
  });

  test('is refused by a media message', async () => {
    const { id: channelAccountId } = (await owner.get('/v1/channel-accounts')).body.find(
      ({ channel }: Response['body']) => channel === 'whatsapp',
    );
    const media = { to: phone(), type: 'image', url: 'https://example.com/a.png', channelAccountId };
    expect(await stranger.send('whatsapp/media', media)).toMatchObject(problem('channel-account-not-found'));
  });

  test('is refused by a template, whatever its name', async () => {
    const template = { name: 'none', language: 'en' };
    const { text: _, ...rest } = text();
    expect(await stranger.send('sms/template', { ...rest, template })).toMatchObject(
      problem('channel-account-not-found'),
    );
  });

  test('is refused by alerts, as a text and as a template', async () => {
    const operation = operations.find(({ operationId }) => operationId === 'messages.sendAlerts');
    for (const more of [{}, { template: 'login_code' }]) {
      const query = new URLSearchParams({ to: phone(), channelAccountId: owned.account, ...more });
      const answer = await stranger.send(`sms/alertmanager?${query.toString()}`, operation?.body);
      expect(answer).toMatchObject(problem('channel-account-not-found'));
    }
  });

  test('fails its item of a bulk call and no other', async () => {
    const { channelAccountId: _, ...own } = text();
    const { status, body } = await stranger.send('sms/bulk', { messages: [text(), own] });
    expect(status).toBe(202);
    expect(body).toMatchObject([
      { status: 'failed', errorCode: 'channel-account-not-found' },
      { status: 'queued' },
    ]);
  });
});

test('alerts that another tenant was told of are told anew', async () => {
  const operation = operations.find(({ operationId }) => operationId === 'messages.sendAlerts');
  const path = `sms/alertmanager?${new URLSearchParams({ to: phone() }).toString()}`;
  const [own] = (await owner.send(path, operation?.body)).body;
  const [foreign] = (await stranger.send(path, operation?.body)).body;
  expect([own.tenantId, foreign.tenantId]).toEqual([owner.id, stranger.id]);
  expect(foreign.id).not.toBe(own.id);
});

test('another tenant’s message is none to answer, and none to mark as read', async () => {
  const [replyTo, messageId] = [owned.file, owned.file];
  const answer = { to: phone(), text: 'hi', replyTo };
  expect(await stranger.send('sms/text', answer)).toMatchObject(problem('invalid-request', 'body/replyTo'));
  const mark = await stranger.post(`/v1/conversations/${strangers.conversation}/read`, { messageId });
  expect(mark).toMatchObject(problem('invalid-request', 'body/messageId'));
});

test('another tenant’s account is none for a key', async () => {
  const made = await stranger.post('/tenant/api-keys', { name: 'x', channelAccountIds: [owned.account] });
  expect(made).toMatchObject(problem('invalid-request', 'channelAccountIds/0'));
});

test('another tenant’s account is none for a filter of a webhook, and filters no events', async () => {
  const filter = { channelAccountIds: [strangers.account, owned.account] };
  const refused = problem('invalid-request', 'body/channelAccountIds/1');
  const url = 'https://hooks.example.com/notify';
  expect(await stranger.post('/v1/webhooks', { url, ...filter })).toMatchObject(refused);
  expect(await stranger.patch(`/v1/webhooks/${strangers.webhook}`, filter)).toMatchObject(refused);
  expect(await stranger.get(`/v1/events?channelAccountId=${owned.account}`)).toMatchObject({
    status: 200,
    body: { data: [], hasMore: false },
  });
});

test('a foreign message reads exactly as one that does not exist', async () => {
  const foreign = await stranger.message(owned.message);
  const missing = await stranger.message(`msg_${crypto.randomUUID()}`);
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
});

test('no list shows anything of another tenant', async () => {
  const lists = operations.filter(
    ({ method, path, ids, credential }) =>
      method === 'get' && ids.length === 0 && credential !== null && path !== endless,
  );
  expect(lists.length).toBeGreaterThanOrEqual(6);
  for (const operation of lists) {
    const { status, text } = await call(stranger, operation, () => '');
    expect([nameOf(operation), status]).toEqual([nameOf(operation), 200]);
    for (const id of Object.values(owned)) expect(text).not.toContain(withoutPrefix(id));
  }
});
