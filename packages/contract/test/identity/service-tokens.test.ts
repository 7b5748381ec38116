import { openEventStream, withEnoughTime } from '@notify/testkit';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, phone, someText, timestamp, unknownId, withoutPrefix } from '../suite/values.ts';

const service = serviceUnderTest();
const tokens = '/tenant/service-tokens';
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
const create = (body: object) => tenant.post(tokens, { name: 'deployment', scopes: ['keys:read'], ...body });
const ask = (bearer: string, path = '/tenant/api-keys') => service.call('get', path, { bearer });

describe('POST /tenant/service-tokens', () => {
  test('answers 201 with the token, once, and a warning that says so', async () => {
    const narrowing = {
      scopes: ['keys:read', 'usage:read'],
      expiresAt: inMs(60_000),
      allowedIps: ['0.0.0.0/0', '::/0'],
    };
    const made = await create(narrowing);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      id: id('tok'),
      name: 'deployment',
      tokenPrefix: 'svc_tok_',
      token: expect.stringMatching(/^svc_tok_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/),
      hint: made.body.token.slice(-4),
      createdAt: timestamp,
      warning: someText,
      ...narrowing,
    });
    const list = await tenant.get(tokens);
    expect(list.body.find((one: { id: string }) => one.id === made.body.id)).toMatchObject({
      ...narrowing,
      lastUsedAt: null,
    });
    expect(list.text).not.toContain(made.body.token);
    expect((await ask(made.body.token)).status).toBe(200);
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['no scopes', { scopes: undefined }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['the scope of a key', { scopes: ['send'] }, 'scopes/0'],
    ['a scope twice', { scopes: ['keys:read', 'keys:read'] }, 'scopes'],
    ['an end that is past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an address that is none', { allowedIps: ['10.0.0.1', 'x'] }, 'allowedIps/1'],
    ['an unknown field', { channelAccountIds: [] }, 'channelAccountIds'],
  ])('refuses %s, naming it', async (_what, change, at) => {
    expect(await create(change)).toMatchObject(problem('invalid-request', at));
  });
});

describe('a service token', () => {
  test('with one character mistyped is refused', async () => {
    const { token } = (await create({})).body;
    const typo = `${token.slice(0, 20)}${token[20] === 'x' ? 'y' : 'x'}${token.slice(21)}`;
    expect(await ask(typo)).toMatchObject(problem('unauthenticated'));
  });

  test('from another address is 403', async () => {
    const { token } = (await create({ allowedIps: ['203.0.113.0/24'] })).body;
    expect(await ask(token)).toMatchObject(problem('forbidden'));
  });

  test('after its end is 401, and no longer listed', async () => {
    const { made, status } = await withEnoughTime(
      3_000,
      async (ms) => {
        const { body } = await create({ expiresAt: inMs(ms) });
        return { made: body, status: (await ask(body.token)).status };
      },
      (first) => first.status === 200,
    );
    expect(status).toBe(200);
    const ended = await until(
      () => ask(made.token),
      ({ status }) => status !== 200,
    );
    expect(ended).toMatchObject(problem('unauthenticated'));
    expect((await tenant.get(tokens)).body.map((one: { id: string }) => one.id)).not.toContain(made.id);
    expect(await tenant.remove(`${tokens}/${made.id}`)).toMatchObject(problem('not-found'));
  });

  test('sends, and what it sends is as what a session sends', async () => {
    const { token } = (await create({ scopes: ['messages:send', 'messages:read'] })).body;
    const body = { channel: 'sms', to: phone(), text: 'hi', idempotencyKey: crypto.randomUUID() };
    const sent = await service.call('post', '/v1/messages', { bearer: token, body });
    expect(sent.status).toBe(202);
    expect((await tenant.post('/v1/messages', body)).body).toEqual(sent.body);
    expect((await tenant.message(sent.body.id)).status).toBe(200);
  });

  test('tells when it was last used', async () => {
    const made = (await create({})).body;
    await ask(made.token);
    const lastUsedAt = async () => {
      const list = (await tenant.get(tokens)).body;
      return list.find((one: { id: string }) => one.id === made.id).lastUsedAt;
    };
    expect(await until(lastUsedAt, (at) => at !== null)).toEqual(timestamp);
  });

  test('makes no key that exceeds its own end and addresses', async () => {
    const expiresAt = inMs(60_000);
    const narrowing = { scopes: ['keys:write'], expiresAt, allowedIps: ['0.0.0.0/0', '::/0'] };
    const { token } = (await create(narrowing)).body;
    const makeKey = (body: object) =>
      service.call('post', '/tenant/api-keys', { bearer: token, body: { name: 'x', ...body } });
    expect((await makeKey({})).body).toMatchObject({ expiresAt, allowedIps: ['0.0.0.0/0', '::/0'] });
    expect((await makeKey({ allowedIps: ['10.0.0.1'] })).body).toMatchObject({ allowedIps: ['10.0.0.1/32'] });
    const late = await makeKey({ expiresAt: inMs(120_000) });
    expect(late).toMatchObject(problem('invalid-request', 'expiresAt'));
  });
});

describe('DELETE /tenant/service-tokens/:id', () => {
  test('answers 204; the token stops with the next request', async () => {
    const made = (await create({})).body;
    expect((await ask(made.token)).status).toBe(200);
    expect((await tenant.remove(`${tokens}/${withoutPrefix(made.id)}`)).status).toBe(204);
    expect(await ask(made.token)).toMatchObject(problem('unauthenticated'));
    expect(await tenant.remove(`${tokens}/${made.id}`)).toMatchObject(problem('not-found'));
  });

  test('ends its stream of events', async () => {
    const made = (await create({ scopes: ['events:read'] })).body;
    await using stream = await openEventStream(`${service.url}/v1/events/stream`, made.token, null);
    expect(stream.status).toBe(200);
    await tenant.remove(`${tokens}/${made.id}`);
    await stream.ended();
  });

  test.each([unknownId('tok'), unknownId('key'), 'tok_', 'nonsense', '__proto__'])(
    'answers 404 for %s',
    async (unknown) => {
      expect(await tenant.remove(`${tokens}/${unknown}`)).toMatchObject(problem('not-found'));
    },
  );
});
