import { type Code, problem } from './problem.ts';
import { type Method, serviceUnderTest } from './service.ts';
import { newTenant, type Tenant } from './tenant.ts';
import { phone, recipient } from './values.ts';

const service = serviceUnderTest();
const good = { to: phone(), text: 'hello' };

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant();
});

/** Every endpoint that takes a body, with the credential it asks for. */
const bodies: readonly (readonly [Method, string, 'apiKey' | 'bearer' | undefined])[] = [
  ['post', '/auth/register', undefined],
  ['post', '/auth/login', undefined],
  ['post', '/auth/refresh', undefined],
  ['post', '/auth/password', 'bearer'],
  ['delete', '/auth/me', 'bearer'],
  ['post', '/tenant/api-keys', 'bearer'],
  ['post', '/v1/webhooks', 'bearer'],
  ['post', '/v1/channel-accounts', 'bearer'],
  ['post', '/v1/notify/sms/text', 'apiKey'],
  ['post', '/v1/notify/whatsapp/media', 'apiKey'],
  ['post', '/v1/notify/telegram/bulk', 'apiKey'],
];

function credentials(kind: 'apiKey' | 'bearer' | undefined): object {
  const { apiKey, accessToken: bearer } = tenant;
  return kind === 'apiKey' ? { apiKey } : kind === 'bearer' ? { bearer } : {};
}

describe.each(bodies)('%s %s', (method, path, kind) => {
  const call = (raw: string, type?: string | null) =>
    service.call(method, path, { ...credentials(kind), raw, ...(type === undefined ? {} : { type }) });

  test.each(['{', '{"to":}', '{"to": "x",}', "{'to': 'x'}", '{} {}', '\u0000', 'undefined', '{"a":"\n"}'])(
    'refuses %j as malformed JSON',
    async (raw) => {
      expect(await call(raw)).toMatchObject(problem('malformed-json'));
    },
  );

  test.each(['[]', '"text"', '7', 'true'])('refuses %s, for a body is an object', async (raw) => {
    expect(await call(raw)).toMatchObject(problem('invalid-request'));
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('refuses a body of type %s', async (type) => {
    expect(await call('{}', type)).toMatchObject(problem('unsupported-media-type'));
  });

  test('refuses a body of no type', async () => {
    expect(await call('{}', null)).toMatchObject(problem('unsupported-media-type'));
  });

  test('refuses a body of 16 MB', async () => {
    expect(await call(JSON.stringify({ text: 'x'.repeat(16_000_000) }))).toMatchObject(problem('too-large'));
  });
});

describe('a body', () => {
  test.each(['application/json; charset=utf-8', 'application/JSON', 'application/json;charset="UTF-8"'])(
    'may be of type %s',
    async (type) => {
      const call = { apiKey: tenant.apiKey, raw: JSON.stringify(good), type };
      expect((await service.call('post', '/v1/notify/sms/text', call)).status).toBe(202);
    },
  );

  test('nested deeper than any field is invalid, not an error of ours', async () => {
    const raw = `{"to":${'['.repeat(50_000)}${']'.repeat(50_000)},"text":"x"}`;
    const response = await service.call('post', '/v1/notify/sms/text', { apiKey: tenant.apiKey, raw });
    expect([400, 422]).toContain(response.status);
  });

  test.each([
    ['missing', {}],
    ['null', { raw: 'null' }],
  ])('that is %s where one is needed is invalid', async (_what, call) => {
    const response = await service.call('post', '/v1/notify/sms/text', { apiKey: tenant.apiKey, ...call });
    expect(response).toMatchObject(problem('invalid-request'));
  });
});

describe('an error', () => {
  /** Provokes a problem of each code that a request alone can bring about. */
  const provoked: Readonly<Record<string, () => ReturnType<Tenant['get']>>> = {
    'malformed-json': () => service.call('post', '/auth/login', { raw: '{' }),
    unauthenticated: () => service.call('get', '/auth/me'),
    'invalid-credentials': () =>
      service.call('post', '/auth/login', { body: { email: tenant.email, password: 'wrong password' } }),
    'invalid-api-key': () => service.call('post', '/v1/notify/sms/text', { body: good }),
    forbidden: () =>
      service.call('post', '/auth/refresh', {
        cookie: tenant.refreshCookie,
        headers: { origin: 'https://elsewhere.example' },
      }),
    'not-found': () => tenant.message('msg_none'),
    'unknown-channel': () => tenant.send('fax/text', good),
    'email-taken': () =>
      service.call('post', '/auth/register', {
        body: { name: 'x', email: tenant.email, password: 'long enough' },
      }),
    'unsupported-media-type': () => service.call('post', '/auth/login', { raw: 'x', type: 'text/plain' }),
    'invalid-request': () => tenant.send('sms/text', {}),
    'media-not-supported': () => tenant.send('sms/media', {}),
    'media-url-required': () => tenant.send('whatsapp/media', { to: recipient('whatsapp'), type: 'image' }),
    'channel-account-not-found': () =>
      tenant.send('sms/text', { ...good, channelAccountId: crypto.randomUUID() }),
    'invalid-recipient': () => tenant.send('sms/text', { ...good, to: 'ada' }),
  };

  test.each(Object.keys(provoked))('%s is a problem document with its status', async (code) => {
    const response = await provoked[code]?.();
    expect(response).toMatchObject(problem(code as Code));
  });

  test('carries the id of its request, and no two are the same', async () => {
    const ids = [
      (await tenant.message('none')).body.requestId,
      (await tenant.message('none')).body.requestId,
    ];
    expect(ids[0]).not.toBe(ids[1]);
  });

  test('never shows where in the code it arose', async () => {
    for (const provoke of Object.values(provoked)) {
      expect((await provoke()).text).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/);
    }
  });
});

describe('an address that leads nowhere', () => {
  test.each(['/nothing', '/v1', '/v2/notify/sms/text', '/auth', '/v1/notify/sms/fax', '/v1/webhooks/x/y/z'])(
    '%s is 404',
    async (path) => {
      expect(await tenant.get(path)).toMatchObject(problem('not-found'));
    },
  );

  test.each(['/v1/notify/messages/%E0%A4%A', '/v1/notify/messages/%', '/v1/notify/messages/..%2f..%2fetc'])(
    '%s is an error of the request, not of ours',
    async (path) => {
      const response = await service.call('get', path, { apiKey: tenant.apiKey });
      expect([400, 404]).toContain(response.status);
      expect(response.type).toBe('application/problem+json');
    },
  );
});
