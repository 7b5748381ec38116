import type { Response } from 'supertest';
import { badRequired, badSharedFields, changed, tooLong } from '../suite/bad-fields.ts';
import { nowhere, kannelSettings } from '../suite/gateway.ts';
import { problem } from '../suite/problem.ts';
import { messageWhen, newTenant, sandboxAccount, type Tenant } from '../suite/tenant.ts';
import { until } from '../suite/until.ts';
import { channels, id, phone, recipient, timestamp, lastStatus } from '../suite/values.ts';

/** Templates of the sandbox, whatever they are: it has two. */

interface Listed {
  readonly name: string;
  readonly body: { readonly variables: readonly unknown[] };
  readonly wants: readonly { readonly at: string; readonly required: boolean }[];
  readonly example: { readonly name: string; readonly language: string; readonly parameters: object };
}

let tenant: Tenant;
let templates: readonly Listed[];
beforeAll(async () => {
  tenant = await newTenant();
  for (const channel of channels) templates = (await synchronised(channel)).data;
});

/** The templates of the sandbox on a channel, as soon as they have been read. */
async function synchronised(channel: string): Promise<Response['body']> {
  const { id: accountId } = await sandboxAccount(tenant, channel);
  const list = async () => (await tenant.get(`/v1/channel-accounts/${accountId}/templates`)).body;
  return until(list, ({ syncedAt }) => syncedAt !== null);
}

test('the sandbox has two approved templates, with what they take and an example', () => {
  expect(templates).toHaveLength(2);
  for (const template of templates) {
    expect(template).toMatchObject({ status: 'approved', reason: null, language: expect.any(String) });
    expect(template.example).toMatchObject({ name: template.name });
    expect(template.wants.filter(({ at }) => at.startsWith('/body'))).toHaveLength(
      template.body.variables.length,
    );
  }
});

describe.each(channels)('POST /v1/notify/%s/template', (channel) => {
  test(`answers 202 with the Message, which is ${lastStatus(channel)} in the end`, async () => {
    for (const { example } of templates) {
      const to = recipient(channel);
      const { status, body } = await tenant.send(`${channel}/template`, { to, template: example });
      expect([status, body]).toMatchObject([
        202,
        { id: id('msg'), provider: channel, to, type: 'template', status: 'queued', createdAt: timestamp },
      ]);
      expect(body.body).toEqual({ template: example, text: expect.not.stringContaining('{{') });
      const ended = await messageWhen(tenant, body.id, ({ status: now }) => now === lastStatus(channel));
      expect(ended).toMatchObject({ type: 'template', body: body.body, errorCode: null });
    }
  });

  test('refuses an unknown name, an unknown language and parameters that do not fit', async () => {
    const [{ example }] = templates as readonly [Listed];
    const send = (template: object) =>
      tenant.send(`${channel}/template`, { to: recipient(channel), template });
    expect(await send({ ...example, name: 'no_such' })).toMatchObject(problem('template-not-found'));
    expect(await send({ ...example, language: 'xx' })).toMatchObject(problem('template-not-found'));
    const surplus = { ...example.parameters, buttons: [{ index: 9, text: 'x' }] };
    expect(await send({ ...example, parameters: surplus })).toMatchObject(
      problem('template-parameters-invalid', 'body/template/parameters/buttons/0/index'),
    );
    const { name, language } = example;
    const missing = await send({ name, language });
    expect(missing).toMatchObject(problem('template-parameters-invalid'));
    const required = templates[0]!.wants.filter((one) => one.required && !one.at.startsWith('/buttons'));
    for (const { at } of required)
      expect(missing).toMatchObject(problem('template-parameters-invalid', `body/template/parameters${at}`));
  });
});

describe('a template', () => {
  const good = () => ({ to: phone(), template: templates[0]!.example });

  test.each([
    ...badSharedFields,
    ...badRequired('template'),
    ['a text beside', { text: 'x' }, 'text'] as const,
  ])('with %s is refused, naming the field', async (_what, change, at) => {
    expect(await tenant.send('sms/template', changed(good(), change))).toMatchObject(
      problem('invalid-request', at),
    );
  });

  test.each([
    ...badRequired('name'),
    ...tooLong('name', 512),
    ...badRequired('language'),
    ...tooLong('language', 64),
    ['an empty name', { name: '' }, 'name'] as const,
    ['an unknown field', { components: [] }, 'components'] as const,
    ['parameters that are a list', { parameters: [] }, 'parameters'] as const,
    ['an unknown parameter', { parameters: { footer: 'x' } }, 'parameters/footer'] as const,
    ['a body that is a text', { parameters: { body: 'x' } }, 'parameters/body'] as const,
    ['a body of numbers', { parameters: { body: [1] } }, 'parameters/body/0'] as const,
    ['a named value that is null', { parameters: { body: { a: null } } }, 'parameters/body/a'] as const,
    ['an empty header', { parameters: { header: {} } }, 'parameters/header'] as const,
    [
      'a header of two kinds',
      { parameters: { header: { text: 'x', image: { url: 'https://a.b' } } } },
      'parameters/header',
    ] as const,
    [
      'a file name with a control character',
      { parameters: { header: { document: { url: 'https://a.b', filename: 'a\u0001.pdf' } } } },
      'parameters/header/document/filename',
    ] as const,
    [
      'a header whose URL is none',
      { parameters: { header: { image: { url: 'file:///etc/passwd' } } } },
      'parameters/header/image/url',
    ] as const,
    [
      'a latitude beyond the poles',
      { parameters: { header: { location: { latitude: 91, longitude: 0 } } } },
      'parameters/header/location/latitude',
    ] as const,
    [
      'a button without a value',
      { parameters: { buttons: [{ index: 0 }] } },
      'parameters/buttons/0',
    ] as const,
    [
      'a button of two values',
      { parameters: { buttons: [{ index: 0, text: 'x', code: 'y' }] } },
      'parameters/buttons/0',
    ] as const,
  ])('with %s is refused, naming the place', async (_what, change, at) => {
    const { to, template } = good();
    expect(await tenant.send('sms/template', { to, template: changed(template, change) })).toMatchObject(
      problem('invalid-request', `body/template/${at}`),
    );
  });

  test('that is sent twice with one key is one message, if it is the same', async () => {
    const send = { ...good(), idempotencyKey: 'once' };
    const first = await tenant.send('sms/template', send);
    expect(await tenant.send('sms/template', send)).toMatchObject({ status: 202, body: first.body });
    const other = { ...send, template: templates[1]!.example };
    expect(await tenant.send('sms/template', other)).toMatchObject(problem('idempotency-key-reused'));
  });

  test('goes with texts in a bulk call', async () => {
    const { to, template } = good();
    const messages = [
      { to, template },
      { to, text: 'hello' },
      { to, template: { ...template, name: 'no_such' } },
    ];
    const { status, body } = await tenant.send('sms/bulk', { messages });
    expect([status, body]).toMatchObject([
      202,
      [
        { type: 'template', status: 'queued' },
        { type: 'text', status: 'queued' },
        { type: 'template', status: 'failed', errorCode: 'template-not-found' },
      ],
    ]);
  });

  test('is sent by hand', async () => {
    const { status, body } = await tenant.post('/v1/messages', { channel: 'sms', ...good() });
    expect([status, body]).toMatchObject([202, { type: 'template', status: 'queued' }]);
  });
});

describe('an account', () => {
  test('whose provider has no templates refuses them', async () => {
    const own = await newTenant();
    const settings = kannelSettings(nowhere);
    const account = { provider: 'http-sms', name: 'x', settings, verify: false, isDefault: true };
    const { body } = await own.post('/v1/channel-accounts', account);
    const at = `/v1/channel-accounts/${body.id}/templates`;
    expect(await own.get(at)).toMatchObject({
      status: 200,
      body: { data: [], nextCursor: null, syncedAt: null },
    });
    expect(await own.post(`${at}/sync`)).toMatchObject(problem('template-not-supported'));
    const template = templates[0]!.example;
    expect(await own.send('sms/template', { to: phone(), template })).toMatchObject(
      problem('template-not-supported'),
    );
  });

  test('is synchronised by hand', async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'sms');
    const { status, body } = await tenant.post(`/v1/channel-accounts/${accountId}/templates/sync`);
    expect([status, body]).toMatchObject([202, { syncedAt: timestamp, syncError: null, syncPending: true }]);
    const again = async () => (await tenant.get(`/v1/channel-accounts/${accountId}/templates`)).body;
    await until(again, ({ syncedAt }) => syncedAt > body.syncedAt);
  });

  test('lists its templates in pages', async () => {
    const { id: accountId } = await sandboxAccount(tenant, 'sms');
    const at = `/v1/channel-accounts/${accountId}/templates?limit=1`;
    const { body: first } = await tenant.get(at);
    const { body: second } = await tenant.get(`${at}&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(
      templates.map(({ name }) => name),
    );
    expect(second.nextCursor).toBeNull();
    expect(await tenant.get(`${at}&cursor=none`)).toMatchObject(problem('invalid-request', 'query/cursor'));
  });
});
