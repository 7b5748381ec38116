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
  readonly isDefault: boolean;
  readonly status: string;
  readonly statusDetail: string | null;
  readonly callbackUrl: string | null;
}

const gateway = { provider: 'test-sms', name: 'Gateway', settings: { token: 'good' } };
const path = '/v1/channel-accounts';

async function make(own: Caller, changes: object = {}): Promise<Account> {
  const { body } = await own.manage('post', path, { ...gateway, ...changes }).expect(201);
  return body as Account;
}

function row(id: string) {
  return service.db.selectFrom('channel_accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function stored(own: Caller, id: string): Promise<unknown> {
  const { settings } = await row(id);
  return JSON.parse(service.parts.secrets.open(settings, settingsPlace(own.tenantId, id)));
}

test('every adapter is listed as a provider', async () => {
  const { body } = await caller.manage('get', '/v1/providers').expect(200);
  const ids = (body as { id: string }[]).map((provider) => provider.id);
  expect(ids).toEqual([...service.parts.adapters.keys()]);
});

test('settings are stored sealed, with the secret of the callback URL', async () => {
  const own = await service.tenant();
  const settings = { token: 'topsecret', sender: 'Acme' };
  const { id, callbackUrl } = await make(own, { settings, verify: false });
  const callbackSecret = callbackUrl!.split('/').at(-1);
  expect(callbackSecret).toMatch(/^[\w-]{22,}$/);
  expect((await row(id)).settings).not.toContain('topsecret');
  expect(await stored(own, id)).toEqual({ settings, callbackSecret });
});

test('an account is refused for what its adapter says of its settings', async () => {
  const settings = { token: 'x', sender: 'bad' };
  const { body } = await caller.manage('post', path, { ...gateway, settings }).expect(422);
  expect(body.errors).toEqual([{ at: 'body/settings/sender', message: 'is not registered' }]);
});

test('a removed account is woken, so that its messages fail', async () => {
  const account = await make(caller);
  service.wakes.length = 0;
  await caller.manage('delete', `${path}/${account.id}`).expect(204);
  expect(service.wakes).toContain(`dispatch fast ${account.id}`);
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
  ['a setting is unknown', { settings: { tokn: 'x' } }, 'body/settings/tokn'],
  ['a required setting is removed', { settings: { token: null } }, 'body/settings/token'],
  ['the adapter itself refuses one', { settings: { sender: 'bad' } }, 'body/settings/sender'],
])('a change is refused when %s, and nothing of it is stored', async (_why, changes, at) => {
  const account = await make(caller);
  const before = await row(account.id);
  const { body } = await caller
    .manage('patch', `${path}/${account.id}`, { name: 'New', ...changes })
    .expect(422);
  expect(body).toMatchObject({ code: 'invalid-request', errors: [{ at }] });
  expect(await row(account.id)).toEqual(before);
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

describe('the settings of a new account are verified', () => {
  const created = (own: Caller, token: string, more: object = {}) =>
    make(own, { settings: { token }, ...more });

  test('and what the provider accepts is connected', async () => {
    const own = await service.tenant();
    expect(await created(own, 'good')).toMatchObject({
      status: 'connected',
      statusDetail: null,
      isDefault: true,
      defaultDetail: null,
      lastConnectedAt: expect.any(String),
    });
  });

  test('what it refuses requires action, in its words, and its messages wait', async () => {
    const own = await service.tenant();
    const account = await created(own, 'typo');
    const refused = {
      status: 'action-required',
      statusDetail: 'Unknown token.',
      isDefault: false,
      defaultDetail: 'Not before the provider accepts the settings.',
    };
    expect(account).toMatchObject({ ...refused, lastConnectedAt: null });
    expect(await row(account.id)).toMatchObject({ pause_reason: 'Unknown token.' });
    const message = { to: '+15550001000', text: 'x', channelAccountId: account.id };
    service.wakes.length = 0;
    await own.notify('post', '/sms/text', message).expect(202);
    expect(service.wakes).toEqual([]);
  });

  test('verify: false asks nobody', async () => {
    const own = await service.tenant();
    expect(await created(own, 'typo', { verify: false })).toMatchObject({
      ...unverified,
      statusDetail: 'Not verified: The provider was not asked (verify: false).',
    });
  });

  const unverified = {
    status: 'connecting',
    isDefault: false,
    defaultDetail: expect.stringMatching(/^Not before its first success: .* set isDefault to true\.$/),
    lastConnectedAt: null,
  };

  test('a provider that is away does not prevent the account, which says so', async () => {
    const own = await service.tenant();
    expect(await created(own, 'away')).toMatchObject({
      ...unverified,
      statusDetail: 'Not verified: No response (refused).',
    });
  });

  test('a provider that never answers delays it by some 5 seconds', async () => {
    const own = await service.tenant();
    expect(await created(own, 'hangs')).toMatchObject({
      ...unverified,
      statusDetail: 'Not verified: The provider did not respond within 5 seconds.',
    });
  });

  test('verifications above the rate are left out, not the account', async () => {
    await using slow = await messagingApp({ accountChecksPerMinute: 1 });
    const own = await slow.tenant();
    expect(await created(own, 'typo')).toMatchObject({ status: 'action-required' });
    expect(await created(own, 'typo')).toMatchObject({
      ...unverified,
      statusDetail: 'Not verified: There were too many verifications in this minute.',
    });
  });
});

describe('new settings are verified before they are stored', () => {
  const change = async (id: string, body: object) =>
    (await caller.manage('patch', `${path}/${id}`, body).expect(200)).body as Account;

  test('refused ones require action; accepted ones resume', async () => {
    const { id } = await make(caller);
    service.wakes.length = 0;
    expect(await change(id, { settings: { token: 'typo' } })).toMatchObject({
      status: 'action-required',
      statusDetail: 'Unknown token.',
    });
    expect(await stored(caller, id)).toMatchObject({ settings: { token: 'typo' } });
    expect(await change(id, { settings: { token: 'good' } })).toMatchObject({
      status: 'connected',
      statusDetail: null,
    });
  });

  test('a provider that is away changes only the detail of an account that works', async () => {
    const { id } = await make(caller);
    expect(await change(id, { settings: { token: 'away' } })).toMatchObject({
      status: 'connected',
      statusDetail: 'Not verified: No response (refused).',
    });
  });

  test('verify: false asks nobody', async () => {
    const { id } = await make(caller);
    expect(await change(id, { settings: { token: 'typo' }, verify: false })).toMatchObject({
      status: 'connected',
      statusDetail: 'Not verified: The provider was not asked (verify: false).',
    });
  });
});

test('a refusal by verify stops an account that never worked, and leaves one that did to its next send', async () => {
  const untried = await make(caller, { settings: { token: 'typo' }, verify: false });
  const worked = await make(caller);
  const typo = { settings: { token: 'typo' }, verify: false };
  await caller.manage('patch', `${path}/${worked.id}`, typo).expect(200);
  for (const { id } of [untried, worked]) {
    const { body } = await caller.manage('post', `${path}/${id}/verify`).expect(200);
    expect(body).toEqual({ ok: false, refused: true, detail: 'Unknown token.' });
  }
  expect(await row(untried.id)).toMatchObject({ status: 'action-required', status_detail: 'Unknown token.' });
  expect(await row(worked.id)).toMatchObject({ status: 'connected', paused_until: null });
});

test('verify tells what the provider says; only a good one ends the pause and wakes', async () => {
  const good = await make(caller);
  const bad = await make(caller, { settings: { token: 'other' } });
  await service.db.updateTable('channel_accounts').set(broken).where('id', 'in', [good.id, bad.id]).execute();
  service.wakes.length = 0;
  const refused = await caller.manage('post', `${path}/${bad.id}/verify`).expect(200);
  expect(refused.body).toEqual({ ok: false, refused: true, detail: 'Unknown token.' });
  expect(await row(bad.id)).toMatchObject({ status: 'action-required', last_connected_at: null });
  const taken = await caller.manage('post', `${path}/${good.id}/verify`).expect(200);
  expect(taken.body).toEqual({ ok: true, refused: false, detail: 'Welcome.' });
  expect(await row(good.id)).toMatchObject({ ...working, last_connected_at: expect.any(Date) });
  expect(service.wakes).toEqual([`dispatch fast ${good.id}`]);
});

test('a provider that verify does not reach changes the detail, and nothing else', async () => {
  const own = await service.tenant();
  const verify = async (id: string) =>
    (await own.manage('post', `${path}/${id}/verify`).expect(200)).body as unknown;
  const untried = await make(own, { settings: { token: 'away' }, verify: false });
  const worked = await make(own);
  await own
    .manage('patch', `${path}/${worked.id}`, { settings: { token: 'away' }, verify: false })
    .expect(200);
  const isAway = { ok: false, refused: false, detail: 'No response (refused).' };
  for (const [{ id }, status] of [
    [untried, 'connecting'],
    [worked, 'connected'],
  ] as const) {
    const before = await row(id);
    expect(await verify(id)).toEqual(isAway);
    expect(await row(id)).toEqual({
      ...before,
      status,
      status_detail: 'Not verified: No response (refused).',
    });
  }
  await service.db.updateTable('channel_accounts').set(broken).where('id', '=', worked.id).execute();
  await verify(worked.id);
  expect(await row(worked.id)).toMatchObject({ status_detail: broken.status_detail });
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
