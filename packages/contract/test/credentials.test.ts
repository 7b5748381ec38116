import { problem } from './problem.ts';
import { type Method, serviceUnderTest } from './service.ts';
import { newTenant, type Tenant } from './tenant.ts';
import { phone, unknownId } from './values.ts';

const service = serviceUnderTest();
const account = '/v1/channel-accounts/0199f000-0000-7000-8000-000000000000';

const bearerEndpoints: readonly (readonly [Method, string])[] = [
  ['post', '/auth/logout'],
  ['get', '/auth/me'],
  ['delete', '/auth/me'],
  ['post', '/auth/password'],
  ['get', '/auth/sessions'],
  ['delete', '/auth/sessions/x'],
  ['post', '/tenant/api-keys'],
  ['get', '/tenant/api-keys'],
  ['delete', `/tenant/api-keys/${unknownId('key')}`],
  ['get', '/v1/webhooks'],
  ['post', '/v1/webhooks'],
  ['get', `/v1/webhooks/${unknownId('wh')}`],
  ['delete', `/v1/webhooks/${unknownId('wh')}`],
  ['patch', `/v1/webhooks/${unknownId('wh')}/enable`],
  ['patch', `/v1/webhooks/${unknownId('wh')}/disable`],
  ['get', '/v1/providers'],
  ['post', '/v1/channel-accounts'],
  ['get', '/v1/channel-accounts'],
  ['get', account],
  ['patch', account],
  ['delete', account],
  ['post', `${account}/verify`],
];

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

describe.each(bearerEndpoints)('%s %s asks for an access token:', (method, path) => {
  test('none is 401', async () => {
    expect(await service.call(method, path)).toMatchObject(problem('unauthenticated'));
  });

  test('an API key is 401', async () => {
    const { apiKey } = tenant;
    expect(await service.call(method, path, { apiKey })).toMatchObject(problem('unauthenticated'));
    expect(await service.call(method, path, { bearer: apiKey })).toMatchObject(problem('unauthenticated'));
  });

  test('the refresh cookie is 401', async () => {
    const { refreshCookie: cookie } = tenant;
    expect(await service.call(method, path, { cookie })).toMatchObject(problem('unauthenticated'));
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
