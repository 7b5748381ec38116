import { describeOwnService } from '../suite/describe-own-service.ts';
import { expectOneIsMade } from '../suite/limits.ts';
import { problem } from '../suite/problem.ts';
import { serviceUnderTest } from '../suite/service.ts';
import { newKey, newTenant, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { id, inheritedNames, phone, someText, timestamp, unknownId, withoutPrefix } from '../suite/values.ts';

const service = serviceUnderTest();
const sendWith = (apiKey: string, path = 'sms/text') =>
  service.call('post', `/v1/notify/${path}`, { apiKey, body: { to: phone(), text: 'hi' } });

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});
const create = (body: unknown) => tenant.post('/tenant/api-keys', body);

describe('POST /tenant/api-keys', () => {
  test('answers 201 with the key, once, and a warning that says so', async () => {
    const response = await create({ name: 'billing' });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      id: id('key'),
      name: 'billing',
      keyPrefix: 'svc_live_',
      key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/),
      createdAt: timestamp,
      warning: someText,
    });
  });

  test('makes a key that works', async () => {
    const { key } = (await create({ name: 'works' })).body;
    expect((await sendWith(key)).status).toBe(202);
  });

  test('takes a rate override of null as none', async () => {
    expect((await create({ name: 'x', rateLimitOverride: null })).status).toBe(201);
  });

  test.each([
    ['no name', { name: undefined }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a name that is a number', { name: 7 }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name with NUL', { name: 'a\0' }, 'name'],
    ['a name with a lone surrogate', { name: '\ud800' }, 'name'],
    ['a rate of 0', { rateLimitOverride: 0 }, 'rateLimitOverride'],
    ['a rate of 10001', { rateLimitOverride: 10_001 }, 'rateLimitOverride'],
    ['a negative rate', { rateLimitOverride: -1 }, 'rateLimitOverride'],
    ['a broken rate', { rateLimitOverride: 1.5 }, 'rateLimitOverride'],
    ['a rate that is a string', { rateLimitOverride: '5' }, 'rateLimitOverride'],
    ['a rate that is a boolean', { rateLimitOverride: true }, 'rateLimitOverride'],
    ['an unknown field', { rateLimitOveride: 5 }, 'rateLimitOveride'],
  ])('refuses %s, naming the field', async (_what, change, at) => {
    expect(await create({ name: 'x', ...change })).toMatchObject(problem('invalid-request', at));
  });

  test.each(inheritedNames)('refuses %s as an unknown field', async (name) => {
    expect(await create({ name: 'x', [name]: 1 })).toMatchObject(problem('invalid-request', name));
  });
});

describe('GET /tenant/api-keys', () => {
  test('lists metadata, and never the key', async () => {
    const own = await newTenant();
    const made = (await own.post('/tenant/api-keys', { name: 'listed', rateLimitOverride: 10_000 })).body;
    const response = await own.get('/tenant/api-keys');
    expect(response.status).toBe(200);
    const listed = response.body.find((key: { id: string }) => key.id === made.id);
    expect(listed).toMatchObject({
      id: made.id,
      name: 'listed',
      keyPrefix: 'svc_live_',
      hint: made.key.slice(-4),
      rateLimitOverride: 10_000,
      createdAt: made.createdAt,
      lastUsedAt: null,
    });
    expect(response.text).not.toContain(made.key);
    expect(listed).not.toHaveProperty('key');
  });

  test('shows no rate override where there is none', async () => {
    const made = (await create({ name: 'plain' })).body;
    const { body } = await tenant.get('/tenant/api-keys');
    expect(body.find((key: { id: string }) => key.id === made.id).rateLimitOverride).toBeNull();
  });

  test('tells when a key was last used', async () => {
    const made = (await create({ name: 'used' })).body;
    await sendWith(made.key);
    const lastUsedAt = async () => {
      const { body } = await tenant.get('/tenant/api-keys');
      return body.find((key: { id: string }) => key.id === made.id).lastUsedAt;
    };
    expect(await until(lastUsedAt, (at) => at !== null, 90_000)).toEqual(timestamp);
  });
});

describe('DELETE /tenant/api-keys/:id', () => {
  test('answers 204; the key stops working with the next request and is no longer listed', async () => {
    const made = (await create({ name: 'revoked' })).body;
    expect((await sendWith(made.key)).status).toBe(202);
    expect((await tenant.remove(`/tenant/api-keys/${made.id}`)).status).toBe(204);
    expect(await sendWith(made.key)).toMatchObject(problem('invalid-api-key'));
    const ids = (await tenant.get('/tenant/api-keys')).body.map((key: { id: string }) => key.id);
    expect(ids).not.toContain(made.id);
  });

  test('a revoked key reads nothing either', async () => {
    const made = (await create({ name: 'revoked' })).body;
    const { id: messageId } = (await sendWith(made.key)).body;
    await tenant.remove(`/tenant/api-keys/${made.id}`);
    const response = await service.call('get', `/v1/notify/messages/${messageId}`, { apiKey: made.key });
    expect(response).toMatchObject(problem('invalid-api-key'));
  });

  test('takes the id without its prefix', async () => {
    const made = (await create({ name: 'bare' })).body;
    expect((await tenant.remove(`/tenant/api-keys/${withoutPrefix(made.id)}`)).status).toBe(204);
    expect(await sendWith(made.key)).toMatchObject(problem('invalid-api-key'));
  });

  test('answers 404 for a key that is revoked already', async () => {
    const made = (await create({ name: 'twice' })).body;
    await tenant.remove(`/tenant/api-keys/${made.id}`);
    expect(await tenant.remove(`/tenant/api-keys/${made.id}`)).toMatchObject(problem('not-found'));
  });

  test.each([unknownId('key'), unknownId('msg'), 'key_', 'nonsense', '%00', '__proto__'])(
    'answers 404 for %s',
    async (unknown) => {
      expect(await tenant.remove(`/tenant/api-keys/${unknown}`)).toMatchObject(problem('not-found'));
    },
  );
});

describe('a key', () => {
  test('with one character mistyped is refused', async () => {
    const { key } = (await create({ name: 'typo' })).body;
    const typo = `${key.slice(0, 20)}${key[20] === 'x' ? 'y' : 'x'}${key.slice(21)}`;
    expect(await sendWith(typo)).toMatchObject(problem('invalid-api-key'));
  });

  test('of the right form that nobody made is refused', async () => {
    expect(await sendWith(`svc_live_${'A'.repeat(49)}`)).toMatchObject(problem('invalid-api-key'));
  });

  test('that is empty is refused', async () => {
    expect(await sendWith('')).toMatchObject(problem('invalid-api-key'));
  });
});

describe('the rate of a key', () => {
  test('is told with every answer and counts down', async () => {
    const key = await newKey(service, tenant.accessToken, 50);
    const first = await sendWith(key);
    const second = await service.call('get', `/v1/notify/messages/${first.body.id}`, { apiKey: key });
    expect(first.headers).toMatchObject({ 'ratelimit-limit': '50', 'ratelimit-remaining': '49' });
    expect(second.headers).toMatchObject({ 'ratelimit-limit': '50', 'ratelimit-remaining': '48' });
    expect(Number(first.headers['ratelimit-reset'])).toBeGreaterThanOrEqual(0);
    expect(Number(first.headers['ratelimit-reset'])).toBeLessThanOrEqual(60);
  });

  test('is told with refusals too', async () => {
    const key = await newKey(service, tenant.accessToken, 50);
    expect((await sendWith(key, 'fax/text')).headers).toMatchObject({ 'ratelimit-limit': '50' });
  });

  test('once used up, answers 429 with Retry-After', async () => {
    const key = await newKey(service, tenant.accessToken, 2);
    expect((await sendWith(key)).status).toBe(202);
    expect((await sendWith(key)).status).toBe(202);
    const response = await sendWith(key);
    expect(response).toMatchObject(problem('rate-limited'));
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(response.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': response.headers['retry-after'],
    });
  });

  test('holds when requests come at once', async () => {
    const key = await newKey(service, tenant.accessToken, 5);
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendWith(key)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  test('is one key’s own', async () => {
    const spent = await newKey(service, tenant.accessToken, 1);
    const other = await newKey(service, tenant.accessToken, 1);
    await sendWith(spent);
    expect((await sendWith(other)).status).toBe(202);
  });

  test('counts a bulk call as one request', async () => {
    const key = await newKey(service, tenant.accessToken, 50);
    const messages = Array.from({ length: 10 }, () => ({ to: phone(), text: 'hi' }));
    const response = await service.call('post', '/v1/notify/sms/bulk', { apiKey: key, body: { messages } });
    expect(response.headers).toMatchObject({ 'ratelimit-remaining': '49' });
  });
});

describeOwnService('limits of a service with default settings', () => {
  test('a key without an override may make 600 requests a minute', async () => {
    const { key } = (await create({ name: 'default' })).body;
    expect((await sendWith(key)).headers).toMatchObject({ 'ratelimit-limit': '600' });
  });

  test('a tenant has at most 100 keys, however many calls race, and may make another when one is revoked', async () => {
    const own = await newTenant();
    const add = () => own.post('/tenant/api-keys', { name: 'one of many' });
    const made = [];
    for (let count = 1; count < 99; count += 1) made.push(await add());
    expect(made.filter(({ status }) => status !== 201)).toEqual([]);
    await expectOneIsMade(Array.from({ length: 6 }, add));
    await own.remove(`/tenant/api-keys/${made[0]?.body.id}`);
    expect((await add()).status).toBe(201);
  });
});
