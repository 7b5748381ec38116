import type { Template } from '@notify/core';
import { sql } from 'kysely';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';
import { synchronise, template, templated } from './templated-provider.ts';

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

const to = '+15550001000';
const url = 'https://example.com/a.png';
const shipped = { name: 'shipped', language: 'en', parameters: { body: ['Ada', 'A-7'] } };
const shippedText = 'Hi Ada, order A-7 left.';

interface Connected extends Caller {
  readonly accountId: string;
}

/** A tenant with an account whose templates were read once. */
async function connected(templates: readonly Template[] = [template('shipped')]): Promise<Connected> {
  const own = await service.tenant({ sandbox: false });
  const { body } = await own
    .manage('post', '/v1/channel-accounts', { provider: templated.id, name: 'Shop', settings: {} })
    .expect(201);
  await synchronise(service.db, body.id, templates);
  return { ...own, accountId: body.id };
}

function send(own: Caller, content: object, options: object = {}) {
  return own.notify('post', '/whatsapp/template', { to, template: content, ...options });
}

async function stored(messageId: string) {
  const row = await service.db
    .selectFrom('messages')
    .select(['type', 'body', 'status', 'error_code'])
    .where('id', '=', messageId.replace('msg_', ''))
    .executeTakeFirstOrThrow();
  return row;
}

async function syncOf({ accountId }: Connected) {
  return service.db
    .selectFrom('account_template_syncs')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
}

test('a template is accepted with the text as the recipient reads it', async () => {
  const own = await connected();
  const { body } = await send(own, shipped).expect(202);
  const shown = { template: shipped, text: shippedText };
  expect(body).toMatchObject({
    type: 'template',
    status: 'queued',
    body: shown,
    channelAccountId: own.accountId,
  });
  const details = (await own.notify('get', `/messages/${body.id}`).expect(200)).body;
  expect(details).toMatchObject({ type: 'template', body: shown });
  const [listed] = (await own.manage('get', '/v1/messages').expect(200)).body.data;
  expect(listed).toEqual({ ...details, apiKeyId: expect.stringMatching(/^key_/), idempotencyKey: null });
  const history = (await own.manage('get', `/v1/messages/${body.id}`).expect(200)).body;
  expect(history).toMatchObject({ body: shown, timeline: [{ event: 'message.queued' }] });
  expect(service.wakes).toContain(`dispatch fast ${own.accountId}`);
});

test('which buttons carry a one-time code is stored and not shown', async () => {
  const otp = template('otp', { buttons: [{ kind: 'one-time-code', text: 'Copy' }], footer: 'Bye' });
  const own = await connected([otp]);
  const content = {
    ...shipped,
    name: 'otp',
    parameters: { ...shipped.parameters, buttons: [{ index: 0, code: '1' }] },
  };
  const { body } = await send(own, content).expect(202);
  expect(body.body).toEqual({ template: content, text: `${shippedText}\nBye` });
  expect((await stored(body.id)).body).toEqual({ ...body.body, oneTimeCodes: [0] });
  const { body: details } = await own.notify('get', `/messages/${body.id}`);
  expect(details.body).toEqual(body.body);
});

test('the name of a header’s variable is stored and not shown', async () => {
  const header = {
    kind: 'text',
    text: 'On {{day}}',
    variables: [{ name: 'day', example: 'Monday' }],
  } as const;
  const body = { text: 'Hi {{who}}', variables: [{ name: 'who', example: 'Ada' }] };
  const own = await connected([template('visit', { named: true, header, body })]);
  const parameters = { header: { text: 'Friday' }, body: { who: 'Bo' } };
  const content = { ...shipped, name: 'visit', parameters };
  const { body: sent } = await send(own, content).expect(202);
  expect(sent.body).toEqual({ template: content, text: 'On Friday\nHi Bo' });
  expect((await stored(sent.id)).body).toEqual({ ...sent.body, headerVariable: 'day' });
});

const image = template('image', {
  header: { kind: 'image', example: null },
  body: { text: 'x', variables: [] },
});

test.each<[string, Template, object, string, object]>([
  [
    'an unknown name',
    template('other'),
    shipped,
    'template-not-found',
    { detail: 'The account has no template shipped.' },
  ],
  [
    'an unknown language',
    template('shipped', { language: 'de' }),
    shipped,
    'template-not-found',
    { detail: 'The template shipped has no version in en. It has de.' },
  ],
  [
    'a paused template',
    template('shipped', { status: 'paused', reason: 'low quality' }),
    shipped,
    'template-not-approved',
    { detail: 'Its status is paused: low quality' },
  ],
  [
    'missing and surplus parameters',
    template('shipped'),
    { ...shipped, parameters: { body: ['Ada'], header: { text: 'x' } } },
    'template-parameters-invalid',
    {
      errors: [
        { at: 'body/template/parameters/header', message: 'is surplus: there is no header' },
        { at: 'body/template/parameters/body/1', message: 'is required: it fills {{2}}' },
      ],
    },
  ],
  [
    'another kind of header',
    image,
    { name: 'image', language: 'en', parameters: { header: { video: { url } } } },
    'template-parameters-invalid',
    { errors: [{ at: 'body/template/parameters/header/video', message: expect.any(String) }] },
  ],
])('%s is refused, and stored nowhere', async (_what, known, content, code, rest) => {
  const own = await connected([known]);
  const { body } = await send(own, content).expect(422);
  expect(body).toMatchObject({ code, ...rest });
  const { rows } = await sql`select from messages where tenant_id = ${own.tenantId}`.execute(service.db);
  expect(rows).toEqual([]);
});

test('a provider without templates refuses them', async () => {
  const own = await service.tenant({ sandbox: false });
  const settings = { token: 'good' };
  await own.manage('post', '/v1/channel-accounts', { provider: 'test-sms', name: 'x', settings }).expect(201);
  const { body } = await own.notify('post', '/sms/template', { to, template: shipped }).expect(422);
  expect(body).toMatchObject({ code: 'template-not-supported' });
});

test('a channel without an account, and an unknown account, are told as with texts', async () => {
  const own = await service.tenant({ sandbox: false });
  expect((await send(own, shipped).expect(422)).body).toMatchObject({ code: 'channel-not-connected' });
  const channelAccountId = crypto.randomUUID();
  expect((await send(own, shipped, { channelAccountId }).expect(422)).body).toMatchObject({
    code: 'channel-account-not-found',
  });
});

test.each([
  ['never', null],
  ['more than an hour ago', new Date(Date.now() - 61 * 60_000)],
])('templates that were read %s refuse nothing: the provider decides', async (_when, syncedAt) => {
  const own = await connected([template('shipped', { status: 'paused' })]);
  await service.db
    .updateTable('account_template_syncs')
    .set({ synced_at: syncedAt })
    .where('account_id', '=', own.accountId)
    .execute();
  expect((await send(own, shipped).expect(202)).body.body).toEqual({ template: shipped, text: shippedText });
  const unknown = { name: 'unknown', language: 'xx', parameters: { body: { a: 'b' } } };
  expect((await send(own, unknown).expect(202)).body.body).toEqual({ template: unknown });
  const misfit = { ...shipped, parameters: { body: [] } };
  expect((await send(own, misfit).expect(202)).body.body).toEqual({ template: misfit });
});

test('unknown names have the templates read again, once', async () => {
  const own = await connected();
  const before = await syncOf(own);
  await Promise.all(
    Array.from({ length: 5 }, (_, index) => send(own, { ...shipped, name: `unknown${index}` }).expect(422)),
  );
  const after = await syncOf(own);
  expect(after!.due_at.getTime()).toBe(before!.claimed_at!.getTime() + 60_000);
  await send(own, shipped).expect(202);
  expect(await syncOf(own)).toEqual(after);
});

test('a repeated request gets its first answer, though the template has been paused since', async () => {
  const own = await connected();
  const first = await send(own, shipped, { idempotencyKey: 'k' }).expect(202);
  await sql`update account_templates set status = 'paused' where account_id = ${own.accountId}`.execute(
    service.db,
  );
  // Another process has nothing in memory.
  const elsewhere = own.through(await service.another());
  const again = { parameters: shipped.parameters, language: 'en', name: 'shipped' };
  const repeated = await send(elsewhere, again, { idempotencyKey: 'k' }).expect(202);
  expect(repeated.body).toEqual(first.body);
  expect((await send(elsewhere, again).expect(422)).body).toMatchObject({ code: 'template-not-approved' });
  const different = { ...shipped, language: 'de' };
  const reused = await send(elsewhere, different, { idempotencyKey: 'k' }).expect(409);
  expect(reused.body).toMatchObject({ code: 'idempotency-key-reused' });
});
