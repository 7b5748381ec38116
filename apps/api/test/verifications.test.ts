import { randomBytes } from 'node:crypto';
import type { Adapter } from '@notify/channels';
import { sql } from 'kysely';
import Type from 'typebox';
import { type Caller, type MessagingApp, messagingApp } from './messaging-app.ts';

/** A provider that takes free text only as an answer, and has templates. */
const cloud: Adapter = {
  id: 'test-cloud',
  channel: 'whatsapp',
  name: 'Test cloud',
  baseUrl: null,
  capabilities: {
    media: false,
    reportsDelivery: true,
    reportsRead: true,
    repeatIsSafe: false,
    callbacks: true,
    replyWindowMs: 86_400_000,
    maxInFlight: 1,
    callDeadlineMs: 1_000,
  },
  settings: Type.Object({ token: Type.String({ secret: true }) }, { additionalProperties: false }),
  send: () => Promise.resolve({ kind: 'accepted', externalId: null }),
  verify: () => Promise.resolve({ ok: true, detail: 'Welcome.' }),
  listTemplates: () => Promise.resolve({ kind: 'listed', templates: [] }),
};

let service: MessagingApp;
let tenant: Caller;
beforeAll(async () => {
  service = await messagingApp({}, [cloud]);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  tenant = await service.tenant();
});

let numbers = 0;
const anyone = (): string => `+1555000${5_000 + (numbers += 1)}`;

function start(body: object) {
  return tenant.notify('post', '/verifications', body);
}

async function account(provider: string, settings: object, channel = 'sms'): Promise<string> {
  const body = { provider, name: channel, settings, isDefault: true };
  const { body: made } = await tenant.manage('post', '/v1/channel-accounts', body).expect(201);
  return made.id as string;
}

async function bodies(): Promise<unknown[]> {
  const { rows } = await sql<{ body: unknown }>`
    select body from messages where tenant_id = ${tenant.tenantId} order by id`.execute(service.db);
  return rows.map(({ body }) => body);
}

test('a start is accepted, its message is masked, and the sandbox takes zeros', async () => {
  const to = anyone();
  const { body } = await start({ to, channel: 'sms', brand: 'Acme' }).expect(202);
  expect(body).toEqual({
    id: expect.stringMatching(/^ver_[0-9a-f-]{36}$/),
    status: 'pending',
    expiresAt: expect.stringMatching(/Z$/),
    sandbox: true,
  });
  expect(await bodies()).toEqual([{ text: '•••••• is your Acme verification code.' }]);
  const at = `/verifications/${body.id}`;
  const wrong = await tenant.notify('post', `${at}/check`, { code: '000001' }).expect(200);
  expect(wrong.body).toEqual({ status: 'pending', attemptsLeft: 4 });
  const right = await tenant.notify('post', `${at}/check`, { code: '000000' }).expect(200);
  expect(right.body).toEqual({ status: 'approved', attemptsLeft: 3 });
  const late = await tenant.notify('post', `${at}/check`, { code: '000000' }).expect(409);
  expect(late.body).toMatchObject({ code: 'verification-ended', detail: 'Its status is approved.' });
  const { body: shown } = await tenant.notify('get', at).expect(200);
  expect(shown).toMatchObject({ id: body.id, status: 'approved', to, attemptsLeft: 0, sandbox: true });
});

test('with a real account the code is random, sealed and hashed, and nothing of it is in the answer', async () => {
  await account('test-sms', { token: 'good' });
  const { body } = await start({ to: anyone(), channel: 'sms', codeLength: 10 }).expect(202);
  expect(body.sandbox).toBe(false);
  const { rows } = await sql<{ sealed_code: string; code_hash: Buffer; code_salt: Buffer }>`
    select sealed_code, code_hash, code_salt from verifications where tenant_id = ${tenant.tenantId}`.execute(
    service.db,
  );
  expect(rows[0]!.sealed_code).toMatch(/^v1\.[\w-]+$/);
  expect([rows[0]!.code_hash.length, rows[0]!.code_salt.length]).toEqual([32, 16]);
  const place = {
    tenantId: tenant.tenantId,
    table: 'verifications',
    row: body.id.slice(4),
    column: 'sealed_code',
  };
  const code = service.parts.secrets.open(rows[0]!.sealed_code, place);
  expect(code).toMatch(/^[0-9]{10}$/);
  expect(code).not.toBe('0000000000');
  const checked = await tenant.notify('post', `/verifications/${body.id}/check`, { code }).expect(200);
  expect(checked.body.status).toBe('approved');
});

test('a repeat within 30 s is the same verification and wakes nobody; an idempotency key is one, too', async () => {
  const to = anyone();
  const first = await start({ to, channel: 'sms' }).expect(202);
  const woken = service.wakes.length;
  expect((await start({ to, channel: 'sms' }).expect(202)).body).toEqual(first.body);
  expect(service.wakes).toHaveLength(woken);
  const key = randomBytes(8).toString('hex');
  const other = anyone();
  const made = await start({ to: other, channel: 'sms', idempotencyKey: key }).expect(202);
  expect((await start({ to: other, channel: 'sms' }).set('Idempotency-Key', key).expect(202)).body).toEqual(
    made.body,
  );
  const reused = await start({ to: anyone(), channel: 'sms', idempotencyKey: key }).expect(409);
  expect(reused.body.code).toBe('idempotency-key-reused');
  const sent = await tenant
    .notify('post', '/sms/text', { to: other, text: 'x', idempotencyKey: key })
    .expect(409);
  expect(sent.body.code).toBe('idempotency-key-reused');
});

test.each([
  [{ to: '+15550001000' }, 'body/channel'],
  [{ to: '+15550001000', channel: 'sms', routes: [{ channel: 'sms' }] }, 'body/channel'],
  [{ to: '+15550001000', channel: 'fax' }, 'body/channel'],
  [{ to: '+15550001000', routes: [] }, 'body/routes'],
  [{ to: '+15550001000', routes: [{ channel: 'sms', to: '+15550001001' }] }, 'body/routes/0/to'],
  [{ to: '+15550001000', channel: 'sms', codeLength: 3 }, 'body/codeLength'],
  [{ to: '+15550001000', channel: 'sms', codeLength: 11 }, 'body/codeLength'],
  [{ to: '+15550001000', channel: 'sms', expiresInSeconds: 59 }, 'body/expiresInSeconds'],
  [{ to: '+15550001000', channel: 'sms', expiresInSeconds: 3_601 }, 'body/expiresInSeconds'],
  [{ to: '+15550001000', channel: 'sms', locale: 'de_' }, 'body/locale'],
  [{ to: '+15550001000', channel: 'sms', brand: 'a\nb' }, 'body/brand'],
  [{ to: '+15550001000', channel: 'sms', brand: '•' }, 'body/brand'],
  [{ to: '+15550001000', channel: 'sms', brand: 'Agent 0007' }, 'body/brand'],
  [{ to: '+15550001000', channel: 'sms', brand: 'Acme １２ ٣٤' }, 'body/brand'],
  [{ to: '+15550001000', channel: 'sms', text: 'x' }, 'body/text'],
])('%j is refused at %s', async (body, at) => {
  const answer = await start(body).expect(422);
  expect(answer.body.code).toBe('invalid-request');
  expect(answer.body.errors.map((error: { at: string }) => error.at)).toContain(at);
});

test('the recipient must fit each channel, and every route needs an account', async () => {
  expect((await start({ to: '123456', channel: 'sms' }).expect(422)).body.code).toBe('invalid-recipient');
  const bare = await service.tenant({ sandbox: false });
  const answer = await bare.notify('post', '/verifications', { to: anyone(), channel: 'sms' }).expect(422);
  expect(answer.body.code).toBe('channel-not-connected');
});

test('routes share one code, and telegram may have its own chat', async () => {
  const routes = [{ channel: 'telegram', to: '4711' }, { channel: 'sms' }];
  const { body } = await start({ to: anyone(), routes, locale: 'de-AT' }).expect(202);
  expect(await bodies()).toEqual([{ text: '•••••• ist der Bestätigungscode.' }]);
  const { body: shown } = await tenant.notify('get', `/verifications/${body.id}`).expect(200);
  const { rows } = await sql<{ routes: { to: string; body: object }[]; advance_after: number }>`
    select routes, advance_after from message_groups where id = ${shown.groupId.slice(4)}::uuid`.execute(
    service.db,
  );
  expect(rows[0]!.routes.map((route) => route.body)).toEqual([
    { text: '•••••• ist der Bestätigungscode.' },
    { text: '•••••• ist der Bestätigungscode.' },
  ]);
  expect(rows[0]!.routes.map((route) => route.to)[0]).toBe('4711');
});

const template = (name: string, language: string, changes: object = {}) => ({
  account_id: '',
  name,
  language,
  status: 'approved' as const,
  content: JSON.stringify({
    label: null,
    category: 'authentication',
    named: false,
    header: null,
    body: { text: '*{{1}}* is your code', variables: [{ name: '1', example: '123' }] },
    footer: null,
    buttons: [{ kind: 'one-time-code', text: 'Copy' }],
    ...changes,
  }),
});

test('where free text needs a window, the authentication template in the language is used, else the start is refused', async () => {
  const accountId = await account('test-cloud', { token: 'x' }, 'whatsapp');
  const to = anyone();
  const none = await start({ to, channel: 'whatsapp', locale: 'de' }).expect(422);
  expect(none.body).toMatchObject({ code: 'template-not-found', errors: [{ at: 'body' }] });
  const stored = [
    template('login', 'en_US'),
    template('login', 'de'),
    template('rich', 'fr', { body: { text: '{{1}} {{2}}', variables: [{ name: '1' }, { name: '2' }] } }),
    template('ad', 'it', { category: 'marketing' }),
  ];
  for (const one of stored)
    await service.db
      .insertInto('account_templates')
      .values({ ...one, account_id: accountId })
      .execute();
  await start({ to, channel: 'whatsapp', locale: 'de-AT' }).expect(202);
  await start({ to: anyone(), channel: 'whatsapp', locale: 'fr' }).expect(202);
  await start({ to: anyone(), channel: 'whatsapp', locale: 'it' }).expect(202);
  const parameters = { body: ['••••••'], buttons: [{ index: 0, code: '••••••' }] };
  const used = (language: string) => ({
    template: { name: 'login', language, parameters },
    text: '*••••••* is your code',
    oneTimeCodes: [0],
  });
  expect(await bodies()).toEqual([used('de'), used('en_US'), used('en_US')]);
});

test('the sixth code within ten minutes is refused with the time to wait', async () => {
  const to = anyone();
  for (let round = 0; round < 5; round += 1) {
    await start({ to, channel: 'sms' }).expect(202);
    await sql`update verifications set created_at = created_at - interval '31 seconds'`.execute(service.db);
  }
  const { body, headers } = await start({ to, channel: 'sms' }).expect(429);
  expect(body).toMatchObject({
    code: 'rate-limited',
    detail: 'A recipient can be sent 5 codes in 10 minutes.',
  });
  expect(Number(headers['retry-after'])).toBeGreaterThan(300);
});

test('limits are shown, replaced and obeyed, and refusals are counted', async () => {
  const limits = '/v1/verification-limits';
  const manage = tenant.manage.bind(tenant) as (
    method: string,
    path: string,
    body?: unknown,
  ) => ReturnType<Caller['manage']>;
  expect((await manage('get', limits).expect(200)).body).toEqual({ startsPerHour: 1_000, prefixes: [] });
  const prefixes = [{ prefix: '+1', startsPerHour: 1 }];
  const { body } = await manage('put', limits, { startsPerHour: 5, prefixes }).expect(200);
  expect(body).toEqual({
    startsPerHour: 5,
    prefixes: [{ prefix: '+1', startsPerHour: 1, guarded: true, heldUntil: null }],
  });
  await start({ to: anyone(), channel: 'sms' }).expect(202);
  const refused = await start({ to: anyone(), channel: 'sms' }).expect(429);
  expect(refused.body.detail).toContain('to +1 is used up');
  const { body: usage } = await manage('get', '/v1/usage/verifications').expect(200);
  expect(usage.prefixes).toMatchObject([
    { prefix: '+1', starts: 1, refused: 1, approved: 0, heldUntil: null },
  ]);
  expect(usage.totals).toMatchObject({ starts: 1, refused: 1 });
  for (const wrong of ['+999', '49', '+1555'])
    await manage('put', limits, { prefixes: [{ prefix: wrong }] }).expect(422);
  await manage('put', limits, { prefixes: [{ prefix: '+1' }, { prefix: '+1' }] }).expect(422);
});

test('a message with a code cannot be resent', async () => {
  await account('test-sms', { token: 'good' });
  await start({ to: anyone(), channel: 'sms' }).expect(202);
  const { rows } = await sql<{ id: string }>`
    update messages set status = 'failed' where tenant_id = ${tenant.tenantId} returning id`.execute(
    service.db,
  );
  const answer = await tenant.manage('post', `/v1/messages/msg_${rows[0]!.id}/resend`, {}).expect(409);
  expect(answer.body).toMatchObject({
    code: 'not-resendable',
    detail: 'It carries a one-time code. Start a new verification.',
  });
});

test('another tenant’s verification is not found, and a malformed code counts no try', async () => {
  const { body } = await start({ to: anyone(), channel: 'sms' }).expect(202);
  const stranger = await service.tenant();
  await stranger.notify('get', `/verifications/${body.id}`).expect(404);
  await stranger.notify('post', `/verifications/${body.id}/check`, { code: '000000' }).expect(404);
  for (const code of ['', '12', '00000a', '00000000000', ' 000000', '０００００'])
    await tenant.notify('post', `/verifications/${body.id}/check`, { code }).expect(422);
  const { body: shown } = await tenant.notify('get', `/verifications/${body.id}`).expect(200);
  expect(shown.attemptsLeft).toBe(5);
});

test('a tenant with too many waiting messages starts none, and its repeats are still answered', async () => {
  await using small = await messagingApp({ maxWaitingPerTenant: 1 });
  const busy = await small.tenant();
  const to = anyone();
  const idempotencyKey = 'first';
  const first = await busy
    .notify('post', '/verifications', { to, channel: 'sms', idempotencyKey })
    .expect(202);
  const refused = await busy.notify('post', '/verifications', { to: anyone(), channel: 'sms' }).expect(429);
  expect(refused.body.code).toBe('limit-reached');
  const again = await busy
    .notify('post', '/verifications', { to, channel: 'sms', idempotencyKey })
    .expect(202);
  expect(again.body).toEqual(first.body);
});

test('its message counts and is named as that of a single send', async () => {
  const before = await service.parts.db.selectFrom('messages').select('id').execute();
  await start({ to: anyone(), channel: 'sms' }).expect(202);
  const after = await service.parts.db.selectFrom('messages').select('id').execute();
  expect(after.length).toBe(before.length + 1);
  expect(service.wakes.some((wake) => wake.startsWith('groups '))).toBe(true);
});

test('a key that was revoked a moment ago neither repeats, shows nor checks, in a process that still remembers it', async () => {
  const other = tenant.through(await service.another());
  const body = { to: anyone(), channel: 'sms', idempotencyKey: 'revoked soon' };
  const { body: started } = await other.notify('post', '/verifications', body).expect(202);
  const at = `/verifications/${started.id}`;
  await other.notify('get', at).expect(200);
  await sql`update api_keys set revoked_at = now() where id = ${tenant.keyId}`.execute(service.db);
  await other.notify('post', '/verifications', body).expect(401);
  await other.notify('post', '/verifications', { to: body.to, channel: 'sms' }).expect(401);
  await other.notify('get', at).expect(401);
  await other.notify('post', `${at}/check`, { code: '000000' }).expect(401);
  const { rows } = await sql<{
    tries: number;
  }>`select tries from verifications where id = ${started.id.slice(4)}`.execute(service.db);
  expect(rows).toEqual([{ tries: 0 }]);
});
