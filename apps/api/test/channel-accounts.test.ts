import { mask } from '@notify/channels';
import { settingsPlace } from '@notify/db/accounts';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Account {
  readonly id: string;
  readonly channel: string;
  readonly provider: string;
  readonly isDefault: boolean;
  readonly callbackUrl: string | null;
}

const gateway = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good' } };
const path = '/v1/channel-accounts';
const unknownId = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';

async function make(own: Caller, changes: object = {}): Promise<Account> {
  const { body } = await own.manage('post', path, { ...gateway, ...changes }).expect(201);
  return body as Account;
}

function row(id: string) {
  return service.db.selectFrom('channel_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function stored(own: Caller, id: string): Promise<unknown> {
  const { settings } = await row(id);
  return JSON.parse(service.deps.secrets.open(settings, settingsPlace(own.tenantId, id)));
}

test('every provider is listed with its capabilities and the schema of its settings, secrets marked', async () => {
  const { body } = await caller.manage('get', '/v1/providers').expect(200);
  const ids = (body as { id: string }[]).map((provider) => provider.id);
  expect(ids).toEqual([...service.deps.adapters.keys()]);
  expect(body.at(-1)).toMatchObject({
    id: 'test-sms',
    channel: 'sms',
    name: 'Test gateway',
    capabilities: { callbacks: true, reportsDelivery: true },
    settings: { type: 'object', required: ['token'], properties: { token: { secret: true } } },
  });
});

test('an account is answered with its secrets masked, and stored sealed', async () => {
  const own = await service.tenant();
  const settings = { token: 'topsecret', sender: 'Acme' };
  const { body } = await own.manage('post', path, { ...gateway, settings }).expect(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    channel: 'sms',
    provider: 'test-sms',
    name: 'Gateway',
    isDefault: true,
    status: 'connected',
    statusDetail: null,
    settings: { token: mask, sender: 'Acme' },
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    lastConnectedAt: null,
    callbackUrl: expect.stringMatching(
      new RegExp(`^https://notify\\.example\\.com/callbacks/test-sms/${body.id}/[\\w-]{22,}$`),
    ),
  });
  expect((await row(body.id)).settings).not.toContain('topsecret');
  expect(await stored(own, body.id)).toEqual({
    settings,
    callbackSecret: body.callbackUrl.split('/').at(-1),
  });
  expect((await own.manage('get', `${path}/${body.id.toUpperCase()}`).expect(200)).body).toEqual(body);
  expect((await own.manage('get', path)).body).toContainEqual(body);
});

test('without a public address, or without callbacks, callbackUrl is null', async () => {
  await using hidden = await messagingApp({ publicUrl: null });
  expect((await make(await hidden.tenant())).callbackUrl).toBeNull();
  const sandbox = { provider: 'sandbox', settings: { channel: 'sms' } };
  expect((await make(caller, sandbox)).callbackUrl).toBeNull();
});

test.each([
  ['provider is missing', { provider: undefined }, 'body/provider'],
  ['provider is unknown', { provider: 'carrier-pigeon' }, 'body/provider'],
  ['provider is a name of every object', { provider: 'constructor' }, 'body/provider'],
  ['name is missing', { name: undefined }, 'body/name'],
  ['name is null', { name: null }, 'body/name'],
  ['name is empty', { name: '' }, 'body/name'],
  ['name is too long', { name: 'x'.repeat(201) }, 'body/name'],
  ['name has a NUL', { name: 'a\u0000' }, 'body/name'],
  ['settings is missing', { settings: undefined }, 'body/settings'],
  ['settings is no object', { settings: 'token' }, 'body/settings'],
  ['settings is a list', { settings: [] }, 'body/settings'],
  ['a required setting is missing', { settings: {} }, 'body/settings/token'],
  ['a required setting is null', { settings: { token: null } }, 'body/settings/token'],
  ['a setting has the wrong type', { settings: { token: 1 } }, 'body/settings/token'],
  ['a setting is unknown', { settings: { token: 'x', tokn: 'y' } }, 'body/settings/tokn'],
  ['a secret is the mask', { settings: { token: mask } }, 'body/settings/token'],
  ['a setting has a NUL', { settings: { token: 'a\u0000' } }, 'body/settings/token'],
  ['the adapter itself refuses one', { settings: { token: 'x', sender: 'bad' } }, 'body/settings/sender'],
  ['isDefault is a text', { isDefault: 'yes' }, 'body/isDefault'],
  ['a field is unknown', { channel: 'sms' }, 'body/channel'],
])('an account is refused when %s', async (_why, changes, at) => {
  const { body } = await caller.manage('post', path, { ...gateway, ...changes }).expect(422);
  expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
  expect(body.errors).toHaveLength(1);
});

test('a removed account is gone at once, and its turn is woken so that its messages fail', async () => {
  const own = await service.tenant();
  const account = await make(own);
  const message = { to: '+15550001000', text: 'x', channelAccountId: account.id };
  await own.notify('post', '/sms/text', message).expect(202);
  service.wakes.length = 0;
  await own.manage('delete', `${path}/${account.id}`).expect(204);
  expect(service.wakes).toContain(`dispatch fast ${account.id}`);
  const again = await own.notify('post', '/sms/text', message).expect(422);
  expect(again.body.code).toBe('channel-account-not-found');
  await own.manage('delete', `${path}/${account.id}`).expect(404);
  await own.manage('get', `${path}/${account.id}`).expect(404);
});

test('an account above the limit is 409 limit-reached, however many calls race', async () => {
  await using small = await messagingApp({ maxChannelAccounts: 3 });
  const own = await small.tenant({ sandbox: false });
  const answers = await Promise.all(Array.from({ length: 10 }, () => own.manage('post', path, gateway)));
  expect(answers.filter((answer) => answer.status === 201)).toHaveLength(3);
  const refused = answers.filter((answer) => answer.status !== 201);
  expect(new Set(refused.map((answer) => `${answer.status} ${answer.body.code}`))).toEqual(
    new Set(['409 limit-reached']),
  );
  const [first] = (await own.manage('get', path)).body;
  await own.manage('delete', `${path}/${first.id}`).expect(204);
  await own.manage('post', path, gateway).expect(201);
});

test('a change merges settings: masked and absent secrets stay, null removes, the callback URL is the same', async () => {
  const account = await make(caller, { settings: { token: 'first', sender: 'Acme' } });
  const { body } = await caller
    .manage('patch', `${path}/${account.id}`, { name: 'Renamed', settings: { token: mask, sender: null } })
    .expect(200);
  expect(body).toMatchObject({
    name: 'Renamed',
    settings: { token: mask },
    callbackUrl: account.callbackUrl,
  });
  expect(await stored(caller, account.id)).toMatchObject({ settings: { token: 'first' } });
  await caller.manage('patch', `${path}/${account.id}`, { settings: { sender: 'New' } }).expect(200);
  expect(await stored(caller, account.id)).toMatchObject({ settings: { token: 'first', sender: 'New' } });
  await caller.manage('patch', `${path}/${account.id}`, { settings: { token: 'second' } }).expect(200);
  expect(await stored(caller, account.id)).toMatchObject({ settings: { token: 'second', sender: 'New' } });
});

test.each([
  ['name is empty', { name: '' }, 'body/name'],
  ['settings is no object', { settings: 1 }, 'body/settings'],
  ['a setting is unknown', { settings: { tokn: 'x' } }, 'body/settings/tokn'],
  ['a required setting is removed', { settings: { token: null } }, 'body/settings/token'],
  ['the adapter itself refuses one', { settings: { sender: 'bad' } }, 'body/settings/sender'],
  ['the provider is named', { provider: 'sandbox' }, 'body/provider'],
])('a change is refused when %s, and nothing of it is stored', async (_why, changes, at) => {
  const account = await make(caller);
  const before = await row(account.id);
  const { body } = await caller
    .manage('patch', `${path}/${account.id}`, { name: 'New', ...changes })
    .expect(422);
  expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
  expect(await row(account.id)).toEqual(before);
});

test('a sandbox account stays on its channel', async () => {
  const account = await make(caller, { provider: 'sandbox', settings: { channel: 'sms' } });
  const change = { settings: { channel: 'telegram' } };
  const { body } = await caller.manage('patch', `${path}/${account.id}`, change).expect(422);
  expect(body).toMatchObject({ errors: [{ at: 'body/settings/channel' }] });
});

const broken = {
  status: 'action-required',
  status_detail: 'The token was refused.',
  paused_until: 'infinity',
  pause_reason: 'broken',
  failures_in_row: 3,
} as const;
const working = { status: 'connected', status_detail: null, paused_until: null, pause_reason: null };

test('new settings take an account out of its pause and wake it; a new name alone does not', async () => {
  const account = await make(caller);
  await service.db.updateTable('channel_accounts').set(broken).where('id', '=', account.id).execute();
  await caller.manage('patch', `${path}/${account.id}`, { name: 'New' }).expect(200);
  expect(await row(account.id)).toMatchObject({ status: 'action-required', pause_reason: 'broken' });
  service.wakes.length = 0;
  const { body } = await caller
    .manage('patch', `${path}/${account.id}`, { settings: { token: 'good' } })
    .expect(200);
  expect(body).toMatchObject({ status: 'connected', statusDetail: null });
  expect(await row(account.id)).toMatchObject(working);
  expect(service.wakes).toEqual([`dispatch fast ${account.id}`]);
});

test('verify tells what the provider says; only a good one ends the pause and wakes', async () => {
  const good = await make(caller);
  const bad = await make(caller, { settings: { token: 'other' } });
  await service.db.updateTable('channel_accounts').set(broken).where('id', 'in', [good.id, bad.id]).execute();
  service.wakes.length = 0;
  const refused = await caller.manage('post', `${path}/${bad.id}/verify`).expect(200);
  expect(refused.body).toEqual({ ok: false, detail: 'Unknown token.' });
  expect(await row(bad.id)).toMatchObject({ status: 'action-required', last_connected_at: null });
  const taken = await caller.manage('post', `${path}/${good.id}/verify`).expect(200);
  expect(taken.body).toEqual({ ok: true, detail: 'Welcome.' });
  expect(await row(good.id)).toMatchObject({ ...working, last_connected_at: expect.any(Date) });
  expect(service.wakes).toEqual([`dispatch fast ${good.id}`]);
});

test('what the operator blocked stays blocked, whatever the tenant mends meanwhile', async () => {
  const account = await make(caller);
  const blocked = { ...broken, blocked: true };
  await service.db.updateTable('channel_accounts').set(blocked).where('id', '=', account.id).execute();
  await caller.manage('patch', `${path}/${account.id}`, { settings: { token: 'good' } }).expect(200);
  await caller.manage('post', `${path}/${account.id}/verify`).expect(200);
  expect(await row(account.id)).toMatchObject({
    status: 'connected',
    pause_reason: null,
    blocked: true,
  });
});

test('another tenant’s account, an unknown one and what is no id are the same 404', async () => {
  const other = await service.tenant();
  const { id: foreign } = await make(other);
  for (const id of [foreign, unknownId, 'x', '%00']) {
    const answers = [
      await caller.manage('get', `${path}/${id}`),
      await caller.manage('patch', `${path}/${id}`, { name: 'Mine' }),
      await caller.manage('post', `${path}/${id}/verify`),
      await caller.manage('delete', `${path}/${id}`),
    ];
    expect(answers.map((answer) => `${answer.status} ${answer.body.code}`)).toEqual(
      Array(4).fill('404 not-found'),
    );
  }
  expect(await row(foreign)).toMatchObject({ name: 'Gateway', deleted_at: null, is_default: true });
});

test('without a token every account route is 401', async () => {
  for (const [method, route] of [
    ['get', '/v1/providers'],
    ['get', path],
    ['post', path],
    ['get', `${path}/${unknownId}`],
    ['patch', `${path}/${unknownId}`],
    ['delete', `${path}/${unknownId}`],
    ['post', `${path}/${unknownId}/verify`],
  ] as const) {
    const { status, body } = await caller.manage(method, route).set('Authorization', '');
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
  }
});

describe('where calls may not go into the network of the operator', () => {
  const template = { body: { type: 'query', fields: { to: '{{to}}', text: '{{text}}' } } };
  const gatewayAt = (url: string, more: object = {}) => ({
    provider: 'http-sms',
    name: 'Gateway',
    settings: { ...template, url, ...more },
  });
  let strict: MessagingApp;
  let own: Caller;
  beforeAll(async () => {
    strict = await messagingApp({
      allowPrivateWebhooks: false,
      egressAllow: ['10.0.0.5/32:8080', 'gw.local:13013'],
    });
    own = await strict.tenant();
  });
  afterAll(() => strict[Symbol.asyncDispose]());

  test.each([
    'http://127.0.0.1:13013/cgi-bin/sendsms',
    'http://localhost/',
    'https://10.0.0.5/?to={{to}}',
    'http://10.0.0.5:8081/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/machine',
    'https://[::1]/{{text}}',
    'https://gw.example:0/',
  ])('an account whose messages go to %s is refused when it is stored', async (url) => {
    const errors = [{ at: 'body/settings/url', message: expect.stringMatching(/^is unreachable: /) }];
    const { body } = await own.manage('post', path, gatewayAt(url)).expect(422);
    expect(body).toMatchObject({ code: 'invalid-request', errors });
  });

  test('so is one that is verified there, and a change to such an address', async () => {
    const elsewhere = { verifyUrl: 'http://127.0.0.1/balance' };
    const refused = await own.manage('post', path, gatewayAt('https://gw.example/', elsewhere)).expect(422);
    expect(refused.body.errors).toMatchObject([{ at: 'body/settings/verifyUrl' }]);
    const { body } = await own.manage('post', path, gatewayAt('https://gw.example/')).expect(201);
    const change = { settings: { url: 'http://127.0.0.1/' } };
    const changed = await own.manage('patch', `${path}/${body.id}`, change).expect(422);
    expect(changed.body.errors).toMatchObject([{ at: 'body/settings/url' }]);
  });

  test.each(['http://gw.example/{{to}}', 'http://10.0.0.5:8080/', 'http://gw.local:13013/'])(
    '%s, which may be reached, is stored',
    async (url) => void (await own.manage('post', path, gatewayAt(url)).expect(201)),
  );
});
