import { operationsOf } from '../suite/operations.ts';
import { problem } from '../suite/problem.ts';
import { type Call, type Method, serviceUnderTest } from '../suite/service.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { phone, unknownId } from '../suite/values.ts';

const service = serviceUnderTest();

const keyEndpoints: readonly (readonly [Method, string])[] = [
  ['post', '/v1/notify/sms/text'],
  ['post', '/v1/notify/whatsapp/media'],
  ['post', '/v1/notify/telegram/bulk'],
  ['get', `/v1/notify/messages/${unknownId('msg')}`],
];

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

describe('every operation that asks for an access token answers 401 to', () => {
  test.each<[string, () => Call]>([
    ['none', () => ({})],
    ['an API key', () => ({ apiKey: tenant.apiKey })],
    ['an API key as Bearer', () => ({ bearer: tenant.apiKey })],
    ['the refresh cookie', () => ({ cookie: tenant.refreshCookie })],
  ])('%s', async (_what, credential) => {
    const operations = operationsOf(await service.openApi()).filter((one) => one.credential === 'bearer');
    expect(operations.length).toBeGreaterThan(30);
    const answers: Record<string, unknown> = {};
    for (const { method, path } of operations) {
      const answer = await service.call(method, path.replaceAll(/\{\w+\}/g, unknownId('x')), credential());
      answers[`${method} ${path}`] = [answer.status, answer.body.code];
    }
    const refused = operations.map(({ method, path }) => [`${method} ${path}`, [401, 'unauthenticated']]);
    expect(answers).toEqual(Object.fromEntries(refused));
  });
});

describe.each(keyEndpoints)('%s %s asks for an API key:', (method, path) => {
  test('none is 401', async () => {
    expect(await service.call(method, path)).toMatchObject(problem('invalid-api-key'));
  });

  test('an access token is 401', async () => {
    const { accessToken } = tenant;
    expect(await service.call(method, path, { bearer: accessToken })).toMatchObject(
      problem('invalid-api-key'),
    );
    expect(await service.call(method, path, { apiKey: accessToken })).toMatchObject(
      problem('invalid-api-key'),
    );
  });

  test('a key as Bearer is 401', async () => {
    expect(await service.call(method, path, { bearer: tenant.apiKey })).toMatchObject(
      problem('invalid-api-key'),
    );
  });

  test('an access token beside a key does no harm', async () => {
    const { accessToken, apiKey } = tenant;
    const body = method === 'post' ? { to: phone(), text: 'hi' } : undefined;
    const response = await service.call(method, path, { bearer: accessToken, apiKey, body });
    expect(response.status).not.toBe(401);
  });
});

describe('what a credential does not reach', () => {
  test.each(['access token', 'API key'])(
    'with a wrong %s nothing is told about what exists',
    async (kind) => {
      const call = kind === 'API key' ? { apiKey: 'wrong' } : { bearer: 'wrong' };
      const path = kind === 'API key' ? '/v1/notify/messages/x' : '/v1/channel-accounts/x';
      const response = await service.call('get', path, call);
      expect(response.status).toBe(401);
    },
  );
});
