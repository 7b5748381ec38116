import { badRequired, badString, tooLong } from '../suite/bad-fields.ts';
import { describeOwnService } from '../suite/describe-own-service.ts';
import { gatewayPassword, kannelSettings, nowhere, startGateway } from '../suite/gateway.ts';
import { expectOneIsMade } from '../suite/limits.ts';
import { openApi } from '../suite/own-service.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { channels, inheritedNames, phone, someText, timestamp, uuid } from '../suite/values.ts';

const accounts = '/v1/channel-accounts';
const gateway = { provider: 'http-sms', name: 'our gateway', settings: kannelSettings(nowhere) };
const sandbox = (channel: string) => ({ provider: 'sandbox', name: 'a sandbox', settings: { channel } });
const statuses = /^(connected|connecting|disconnected|action-required)$/;

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe('GET /v1/providers', () => {
  test('tells of each provider its id, channel, name, capabilities and the JSON Schema of its settings', async () => {
    const { status, body } = await tenant.get('/v1/providers');
    expect(status).toBe(200);
    for (const provider of body) {
      expect(provider).toMatchObject({
        id: someText,
        channel: someText,
        name: someText,
        capabilities: expect.any(Object),
        settings: { type: 'object', properties: expect.any(Object) },
      });
    }
  });

  test('has the sandbox and the HTTP SMS gateway', async () => {
    const { body } = await tenant.get('/v1/providers');
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'sandbox' }),
        expect.objectContaining({ id: 'http-sms', channel: 'sms' }),
      ]),
    );
  });

  test('marks secret fields', async () => {
    const { body } = await tenant.get('/v1/providers');
    const { settings } = body.find(({ id }: { id: string }) => id === 'http-sms');
    expect(settings.properties.password).toMatchObject({ secret: true });
    expect(settings.properties.url).not.toHaveProperty('secret');
  });
});

describe('POST /v1/channel-accounts', () => {
  test('answers 201 with the account', async () => {
    const response = await tenant.post(accounts, gateway);
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      id: uuid,
      channel: 'sms',
      provider: 'http-sms',
      name: 'our gateway',
      isDefault: expect.any(Boolean),
      status: expect.stringMatching(statuses),
      settings: { profile: 'kannel', url: nowhere, username: 'notify', from: '12345' },
      createdAt: timestamp,
    });
    expect(response.body).toHaveProperty('statusDetail');
    expect(response.body).toHaveProperty('lastConnectedAt');
    expect(response.body).toHaveProperty('callbackUrl');
  });

  test('masks secrets in every answer', async () => {
    const created = await tenant.post(accounts, gateway);
    const path = `${accounts}/${created.body.id}`;
    const answers = [
      created,
      await tenant.get(accounts),
      await tenant.get(path),
      await tenant.patch(path, { name: 'x' }),
    ];
    for (const answer of answers) expect(answer.text).not.toContain(gatewayPassword);
    expect(created.body.settings.password).toEqual(someText);
  });

  test('does not use credentials that the provider refuses, and says so in its words', async () => {
    await using refusing = await startGateway();
    refusing.receiver.behave({ status: 403, body: 'Authorization failed for sendsms' });
    const own = await newTenant();
    const account = { ...gateway, settings: refusing.settings, isDefault: true };
    const { body } = await own.post(accounts, account);
    expect(body).toMatchObject({
      status: 'action-required',
      statusDetail: expect.stringContaining('Authorization failed'),
      isDefault: false,
    });
    const sent = await own.send('sms/text', { to: phone(), text: 'hi' });
    expect(sent.body.channelAccountId).toBe((await sandboxAccount(own, 'sms')).id);
    const unasked = await own.post(accounts, { ...account, verify: false });
    expect(unasked.body).toMatchObject({
      status: 'connecting',
      statusDetail: expect.stringMatching(/^Not verified: /),
      isDefault: true,
    });
  });

  test('is not prevented by a provider that is away: the account is connecting, unverified', async () => {
    const own = await newTenant();
    expect(await own.post(accounts, gateway)).toMatchObject({
      status: 201,
      body: {
        status: 'connecting',
        statusDetail: expect.stringMatching(/^Not verified: /),
        isDefault: false,
      },
    });
  });

  test('of a phone is neither connected nor the default before it is linked', async () => {
    const own = await newTenant();
    const phoneAccount = { provider: 'whatsapp-web', name: 'phone', settings: {}, isDefault: true };
    expect((await own.post(accounts, phoneAccount)).body).toMatchObject({
      status: 'action-required',
      isDefault: false,
    });
  });

  test.each(channels)('connects a sandbox on %s', async (channel) => {
    const response = await tenant.post(accounts, sandbox(channel));
    expect(response).toMatchObject({
      status: 201,
      body: { channel, provider: 'sandbox', status: 'connected' },
    });
    const own = {
      to: channel === 'telegram' ? '123457777' : phone(),
      text: 'hi',
      channelAccountId: response.body.id,
    };
    expect((await tenant.send(`${channel}/text`, own)).body.channelAccountId).toBe(response.body.id);
  });

  test.each([
    ...badRequired('provider'),
    ['a provider nobody knows', { provider: 'carrier-pigeon' }, 'provider'] as const,
    ['an empty provider', { provider: '' }, 'provider'] as const,
    ...inheritedNames.map((name) => [`a provider named ${name}`, { provider: name }, 'provider'] as const),
    ...badRequired('name'),
    ...tooLong('name', 200),
    ['an empty name', { name: '' }, 'name'] as const,
    ['no settings', { settings: undefined }, 'settings'] as const,
    ['settings of null', { settings: null }, 'settings'] as const,
    ['settings that are an array', { settings: [] }, 'settings'] as const,
    ['settings that are a string', { settings: 'url' }, 'settings'] as const,
    ['settings without a url', { settings: { profile: 'kannel' } }, 'url'] as const,
    [
      'settings with a url that is none',
      { settings: { ...gateway.settings, url: 'gateway' } },
      'url',
    ] as const,
    ['settings with a url that is a number', { settings: { ...gateway.settings, url: 7 } }, 'url'] as const,
    ['settings with a url of null', { settings: { ...gateway.settings, url: null } }, 'url'] as const,
    ['settings with an unknown field', { settings: { ...gateway.settings, pass: 'x' } }, 'pass'] as const,
    [
      'settings with an unknown profile',
      { settings: { ...gateway.settings, profile: 'x' } },
      'profile',
    ] as const,
    ['settings with NUL', { settings: { ...gateway.settings, username: 'a\0' } }, 'username'] as const,
    [
      'settings with a lone surrogate',
      { settings: { ...gateway.settings, from: '\ud800' } },
      'from',
    ] as const,
    [
      'an unknown policy for unknown outcomes',
      { settings: { ...gateway.settings, onUnknownOutcome: 'sometimes' } },
      'onUnknownOutcome',
    ] as const,
    ['an isDefault that is a string', { isDefault: 'yes' }, 'isDefault'] as const,
    ['a verify that is a string', { verify: 'no' }, 'verify'] as const,
    ['an unknown field', { default: true }, 'default'] as const,
    ['a channel that is none', { provider: 'sandbox', settings: { channel: 'fax' } }, 'channel'] as const,
  ])('refuses %s, naming the field', async (_what, change, at) => {
    expect(await tenant.post(accounts, { ...gateway, ...change })).toMatchObject(
      problem('invalid-request', at),
    );
  });

  test('refuses the mask of a secret, for there is no secret yet', async () => {
    const { password } = (await tenant.post(accounts, gateway)).body.settings;
    const masked = { ...gateway, settings: { ...gateway.settings, password } };
    expect(await tenant.post(accounts, masked)).toMatchObject(problem('invalid-request', 'password'));
  });

  test('takes null for isDefault as if it were absent', async () => {
    expect((await tenant.post(accounts, { ...gateway, isDefault: null })).status).toBe(201);
  });
});

describe('GET /v1/channel-accounts', () => {
  test('lists the tenant’s accounts as they read one by one', async () => {
    const { body: created } = await tenant.post(accounts, gateway);
    const { status, body } = await tenant.get(accounts);
    expect(status).toBe(200);
    const one = await tenant.get(`${accounts}/${created.id}`);
    expect(one.status).toBe(200);
    expect(body).toContainEqual(one.body);
    expect((await tenant.get(`${accounts}/${created.id.toUpperCase()}`)).body).toEqual(one.body);
    expect(one.body).toMatchObject({ id: created.id, provider: 'http-sms', name: 'our gateway' });
  });
});

describe('PATCH /v1/channel-accounts/:id', () => {
  test('changes the name and nothing else', async () => {
    const { body: created } = await tenant.post(accounts, gateway);
    const response = await tenant.patch(`${accounts}/${created.id}`, { name: 'renamed' });
    expect(response).toMatchObject({ status: 200, body: { ...created, name: 'renamed' } });
    expect((await tenant.get(`${accounts}/${created.id}`)).body.name).toBe('renamed');
  });

  test('changes settings, checked as at creation', async () => {
    const { body: created } = await tenant.post(accounts, gateway);
    const path = `${accounts}/${created.id}`;
    const changed = { settings: { ...gateway.settings, from: '54321' } };
    expect(await tenant.patch(path, changed)).toMatchObject({
      status: 200,
      body: { settings: { from: '54321' } },
    });
    const wrong = { settings: { ...gateway.settings, url: 7 } };
    expect(await tenant.patch(path, wrong)).toMatchObject(problem('invalid-request', 'url'));
    expect((await tenant.get(path)).body.settings).toMatchObject({ from: '54321', url: nowhere });
  });

  test.each([
    ...badString('name'),
    ['an empty name', { name: '' }, 'name'] as const,
    ['settings that are a string', { settings: 'x' }, 'settings'] as const,
    ['a sandbox’s settings with another channel', { settings: { channel: 'telegram' } }, 'channel'] as const,
    ['an isDefault that is a number', { isDefault: 1 }, 'isDefault'] as const,
    ['a provider, which cannot change', { provider: 'sandbox' }, 'provider'] as const,
    ['an unknown field', { channel: 'sms' }, 'channel'] as const,
  ])('refuses %s, naming the field', async (_what, change, at) => {
    const { id } = await sandboxAccount(tenant, 'sms');
    expect(await tenant.patch(`${accounts}/${id}`, change)).toMatchObject(problem('invalid-request', at));
  });
});

describe('PATCH /v1/channel-accounts/:id with settings', () => {
  test('verifies them: refused ones require action, accepted ones resume', async () => {
    await using provider = await startGateway();
    const own = await newTenant();
    provider.receiver.behave({ status: 400, body: 'Missing receiver number, rejected' });
    const { body: account } = await own.post(accounts, { ...gateway, settings: provider.settings });
    const change = async (password: string) =>
      (await own.patch(`${accounts}/${account.id}`, { settings: { password } })).body;
    provider.receiver.behave({ status: 403, body: 'Authorization failed for sendsms' });
    expect(await change('wrong')).toMatchObject({ status: 'action-required', isDefault: true });
    provider.receiver.behave({ status: 400, body: 'Missing receiver number, rejected' });
    expect(await change('right')).toMatchObject({ status: 'connected', statusDetail: null });
  });
});

describe('POST /v1/channel-accounts/:id/verify', () => {
  test('answers 200 {ok, detail}: true for the sandbox', async () => {
    const { id } = await sandboxAccount(tenant, 'sms');
    const response = await tenant.post(`${accounts}/${id}/verify`);
    expect(response).toMatchObject({ status: 200, body: { ok: true, refused: false, detail: someText } });
  });

  test('answers 200 {ok: false, detail} where the provider cannot be reached', async () => {
    const { body } = await tenant.post(accounts, gateway);
    const response = await tenant.post(`${accounts}/${body.id}/verify`);
    expect(response).toMatchObject({ status: 200, body: { ok: false, refused: false, detail: someText } });
  });
});

describe('DELETE /v1/channel-accounts/:id', () => {
  test('answers 204 at once, and the account is gone', async () => {
    const { body } = await tenant.post(accounts, gateway);
    expect((await tenant.remove(`${accounts}/${body.id}`)).status).toBe(204);
    expect(await tenant.get(`${accounts}/${body.id}`)).toMatchObject(problem('not-found'));
    expect(await tenant.remove(`${accounts}/${body.id}`)).toMatchObject(problem('not-found'));
    const send = await tenant.send('sms/text', { to: phone(), text: 'hi', channelAccountId: body.id });
    expect(send).toMatchObject(problem('channel-account-not-found'));
  });

  test('fails the messages that wait for it', async () => {
    const { body: account } = await tenant.post(accounts, gateway);
    const sent = await tenant.send('sms/text', { to: phone(), text: 'hi', channelAccountId: account.id });
    expect(sent.status).toBe(202);
    await tenant.remove(`${accounts}/${account.id}`);
    const message = await messageWhen(tenant, sent.body.id, ({ status }) => status === 'failed');
    expect(message).toMatchObject({
      errorCode: 'channel-account-removed',
      error: someText,
      failedAt: timestamp,
    });
  });

  test('of every account of a channel leaves it unconnected', async () => {
    const own = await newTenant();
    const { id } = await sandboxAccount(own, 'telegram');
    await own.remove(`${accounts}/${id}`);
    const response = await own.send('telegram/text', { to: '123457777', text: 'hi' });
    expect(response).toMatchObject(problem('channel-not-connected'));
    const item = { to: '123457777', text: 'hi' };
    const bulk = await own.send('telegram/bulk', { messages: [item, item] });
    const failed = { status: 'failed', errorCode: 'channel-not-connected', channelAccountId: null };
    expect(bulk).toMatchObject({ status: 202, body: [failed, failed] });
  });
});

describe('the id of an account', () => {
  test.each([crypto.randomUUID(), 'nonsense', '%00', '__proto__', "'--"])('%s is not found', async (id) => {
    const path = `${accounts}/${id}`;
    const answers = [
      await tenant.get(path),
      await tenant.patch(path, { name: 'x' }),
      await tenant.remove(path),
      await tenant.post(`${path}/verify`),
    ];
    for (const answer of answers) expect(answer).toMatchObject(problem('not-found'));
  });
});

describeOwnService('with default settings', () => {
  test('there is no address for callbacks while the service has no public one', async () => {
    const service = await openApi({ PUBLIC_URL: '' });
    const call = { bearer: tenant.accessToken, body: gateway };
    const { status, body } = await service.call('post', accounts, call);
    await service.stop();
    expect([status, body.callbackUrl]).toEqual([201, null]);
  });

  test('a tenant has at most 100 accounts, however many calls race, and may make another when one is removed', async () => {
    const own = await newTenant();
    const add = () => own.post(accounts, sandbox('sms'));
    const { length: already } = (await own.get(accounts)).body;
    for (let count = already; count < 99; count += 1) expect((await add()).status).toBe(201);
    await expectOneIsMade(Array.from({ length: 6 }, add));
    await own.remove(`${accounts}/${(await own.get(accounts)).body[0].id}`);
    expect((await add()).status).toBe(201);
  });
});
