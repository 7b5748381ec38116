import request from 'supertest';
import { makeKey, register, testApi, type TestApi } from './test-api.ts';

let api: TestApi;
let credentials: { readonly key: string; readonly session: string; readonly token: string };
beforeAll(async () => {
  api = await testApi();
  const tenant = await register(api.app);
  const made = await request(api.app)
    .post('/tenant/service-tokens')
    .set('Authorization', tenant.bearer)
    .send({ name: 'x', scopes: ['messages:read'] });
  const { key } = await makeKey(api.app, tenant);
  credentials = { key, session: tenant.bearer.replace('Bearer ', ''), token: made.body.token };
});
afterAll(() => api[Symbol.asyncDispose]());

async function ask(path: string, headers: Readonly<Record<string, string>>) {
  const { status, body } = await request(api.app).get(path).set(headers);
  return { status, code: body.code, detail: body.detail };
}

const bearerRoute = '/v1/messages';
const sessionRoute = '/auth/me';
const keyRoute = '/v1/notify/messages/msg_01912d68-783e-7a52-9d3a-6c4f2b1e8a90';

describe('an API key', () => {
  test.each([
    [bearerRoute, 'Send a service token or an access token here.'],
    [sessionRoute, 'Send an access token here.'],
  ])('on %s is told what to send, in either header', async (path, advice) => {
    const { key } = credentials;
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }])
      expect(await ask(path, headers)).toEqual({
        status: 401,
        code: 'unauthenticated',
        detail: `An API key works on /v1/notify/* only. ${advice}`,
      });
  });

  test('as Bearer on its own route is told the header', async () => {
    expect(await ask(keyRoute, { authorization: `Bearer ${credentials.key}` })).toEqual({
      status: 401,
      code: 'invalid-api-key',
      detail: 'Send the API key in the header X-Api-Key.',
    });
  });

  test('beside a bad token is no explanation', async () => {
    const headers = { 'x-api-key': credentials.key, authorization: 'Bearer wrong' };
    expect(await ask(bearerRoute, headers)).toEqual({ status: 401, code: 'unauthenticated' });
  });
});

test.each(['session', 'token'] as const)('a %s on a route for keys is told so', async (kind) => {
  const credential = credentials[kind];
  for (const headers of [{ authorization: `Bearer ${credential}` }, { 'x-api-key': credential }])
    expect(await ask(keyRoute, headers)).toEqual({
      status: 401,
      code: 'invalid-api-key',
      detail: 'A service token or an access token does not work on /v1/notify/*. Send an API key here.',
    });
});

test('a key that is only wrong is told nothing else, also beside a token', async () => {
  const wrong = `${credentials.key.slice(0, -1)}${credentials.key.endsWith('x') ? 'y' : 'x'}`;
  for (const headers of [{ 'x-api-key': wrong }, { 'x-api-key': wrong, authorization: 'Bearer x' }, {}])
    expect(await ask(keyRoute, headers)).toEqual({ status: 401, code: 'invalid-api-key' });
});
