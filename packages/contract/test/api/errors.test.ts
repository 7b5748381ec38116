import { problem, statusOfCode } from '../suite/problem.ts';
import { type Method, serviceUnderTest } from '../suite/service.ts';
import { newTenant, type Tenant } from '../suite/tenant.ts';
import { phone, recipient } from '../suite/values.ts';

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

  test.each([
    '{',
    ' ',
    '{"to":}',
    '{"to": "x",}',
    "{'to': 'x'}",
    '{} {}',
    '\u0000',
    'undefined',
    '{"a":"\n"}',
  ])('refuses %j as malformed JSON', async (raw) => {
    expect(await call(raw)).toMatchObject(problem('malformed-json'));
  });

  test.each(['[]', '"text"', '7', 'true'])('refuses %s, for a body is an object', async (raw) => {
    expect(await call(raw)).toMatchObject(problem('invalid-request'));
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
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
  test.each([
    ['a stranger', '/auth/login', {}, 16_384],
    ['a tenant', '/tenant/api-keys', 'bearer', 1_048_576],
  ] as const)('of %s may be so long, and no byte longer', async (_who, path, kind, bytes) => {
    const call = (length: number) =>
      service.call('post', path, {
        ...(kind === 'bearer' ? credentials(kind) : {}),
        raw: JSON.stringify({ unknown: 1 }).padEnd(length),
      });
    expect(await call(bytes)).toMatchObject(problem('invalid-request', 'unknown'));
    expect(await call(bytes + 1)).toMatchObject(problem('too-large'));
  });

  test('may begin with a byte order mark', async () => {
    const call = { apiKey: tenant.apiKey, raw: `\ufeff${JSON.stringify(good)}` };
    expect((await service.call('post', '/v1/notify/sms/text', call)).status).toBe(202);
  });

  test('that is compressed is refused before it is unpacked', async () => {
    const call = { apiKey: tenant.apiKey, raw: '{}', headers: { 'content-encoding': 'gzip' } };
    expect(await service.call('post', '/v1/notify/sms/text', call)).toMatchObject(
      problem('unsupported-media-type'),
    );
  });

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
  /** Requests that fail in many different places. */
  const provoked: readonly (() => ReturnType<Tenant['get']>)[] = [
    () => service.call('post', '/auth/login', { raw: '{' }),
    () => service.call('post', '/auth/login', { raw: 'x', type: 'text/plain' }),
    () => service.call('get', '/auth/me'),
    () => service.call('post', '/auth/login', { body: { email: tenant.email, password: 'wrong password' } }),
    () => service.call('post', '/v1/notify/sms/text', { body: good }),
    () => tenant.message('msg_none'),
    () => tenant.send('fax/text', good),
    () => tenant.send('sms/text', {}),
    () => tenant.send('whatsapp/media', { to: recipient('whatsapp'), type: 'image' }),
    () => tenant.send('sms/text', { ...good, channelAccountId: crypto.randomUUID() }),
    () => tenant.send('sms/text', { ...good, to: 'ada' }),
  ];

  test('has its own page where its type leads', async () => {
    for (const code of Object.keys(statusOfCode)) {
      const page = await service.call('get', `/problems/${code}`);
      expect(page).toMatchObject({ status: 200, type: 'text/html' });
      expect(page.text).toContain(code);
    }
    expect(await service.call('get', '/problems/constructor')).toMatchObject(problem('not-found'));
  });

  test('carries the id of its request, and no two are the same', async () => {
    const answers = [await tenant.message('none'), await tenant.message('none')];
    for (const { headers, body } of answers) expect(body.requestId).toBe(headers['x-request-id']);
    expect(answers[0]?.body.requestId).not.toBe(answers[1]?.body.requestId);
  });

  test('carries the id that its caller gave the request, where that is sane', async () => {
    const idFor = async (given: string) =>
      (await service.call('get', '/auth/me', { headers: { 'x-request-id': given } })).body.requestId;
    expect(await idFor('order-7.a_B')).toBe('order-7.a_B');
    for (const strange of ['', 'a b', 'x'.repeat(65), '<script>'])
      expect(await idFor(strange)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('never shows where in the code it arose', async () => {
    for (const provoke of provoked) {
      expect((await provoke()).text).not.toMatch(/node_modules|\.ts:\d+|at \w+ \(/);
    }
  });
});

describe('a time without a zone', () => {
  const bare = '2026-01-31T09:30:00';
  const routes = [{ channel: 'sms', ...good }];
  test.each<[Method, string, object | null, string]>([
    ['post', '/v1/notify/sms/text', { ...good, sendAt: bare }, 'body/sendAt'],
    ['post', '/v1/notify/sms/bulk', { messages: [{ ...good, sendAt: bare }] }, 'body/messages/0/sendAt'],
    ['post', '/v1/notify/send', { routes, sendAt: bare }, 'body/sendAt'],
    ['post', '/v1/messages', { channel: 'sms', ...good, sendAt: bare }, 'body/sendAt'],
    ['post', '/v1/messages/cancel', { filter: { until: bare } }, 'body/filter/until'],
    ['post', '/tenant/api-keys', { name: 'x', expiresAt: bare }, 'body/expiresAt'],
    ['post', '/v1/webhooks/wh_01912d68-783e-7a52-9d3a-6c4f2b1e8a90/replay', { since: bare }, 'body/since'],
    ['get', `/v1/messages?from=${bare}`, null, 'query/from'],
    ['get', `/v1/usage?until=${bare}`, null, 'query/until'],
    ['get', `/v1/usage/verifications?from=${bare}`, null, 'query/from'],
  ])('%s %s says that it has none', async (method, path, body, at) => {
    const credential = path.startsWith('/v1/notify')
      ? { apiKey: tenant.apiKey }
      : { bearer: tenant.accessToken };
    const answer = await service.call(method, path, { ...credential, ...(body === null ? {} : { body }) });
    expect(answer).toMatchObject(problem('invalid-request', at));
    const told = (answer.body.errors as { at: string; message: string }[]).find((error) => error.at === at);
    expect(told?.message).toMatch(/^has no time zone: end it with Z for UTC, or with an offset/);
  });

  test('whose + became a space in the query says how to write it', async () => {
    const answer = await tenant.get('/v1/messages?from=2026-01-31T09:30:00+01:00');
    expect(answer).toMatchObject(problem('invalid-request', 'query/from'));
    expect(answer.body.errors[0].message).toContain('%2B');
  });
});

test('an unknown channel is told the channels', async () => {
  const answer = await tenant.send('fax/text', good);
  expect(answer).toMatchObject(problem('unknown-channel'));
  expect(answer.body.detail).toMatch(/whatsapp.*telegram.*sms/);
});

describe('an address that leads nowhere', () => {
  test.each<[Method, string]>([
    ['get', '/nothing'],
    ['get', '/v1'],
    ['get', '/v2/notify/sms/text'],
    ['get', '/auth'],
    ['put', '/auth/nothing'],
    ['delete', '/v1/notify/fax/text'],
    ['post', '/v1/notify/sms/fax'],
    ['get', '/v1/webhooks/x/y/z'],
  ])('%s %s is 404', async (method, path) => {
    const { accessToken: bearer, apiKey } = tenant;
    expect(await service.call(method, path, { bearer, apiKey })).toMatchObject(problem('not-found'));
  });

  test.each([
    '/%E0%A4%A',
    '/v1/notify/messages/%E0%A4%A',
    '/v1/notify/messages/%',
    '/v1/notify/messages/..%2f..%2fetc',
  ])('%s is an error of the request, not of ours', async (path) => {
    const response = await service.call('get', path, { apiKey: tenant.apiKey });
    expect([400, 404]).toContain(response.status);
    expect(response.type).toBe('application/problem+json');
  });
});
