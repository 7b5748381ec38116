import { checkTemplate } from '@notify/core';
import request from 'supertest';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';
import { synchronise, template, templated } from './templated-provider.ts';

/** The templates of an account, and when they are read again. */

let service: MessagingApp;
beforeAll(async () => {
  service = await messagingApp();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Connected extends Caller {
  readonly accountId: string;
  readonly at: string;
  readonly callbackPath: string;
}

async function connected(): Promise<Connected> {
  const own = await service.tenant({ sandbox: false });
  const account = { provider: templated.id, name: 'Shop', settings: {} };
  const { body } = await own.manage('post', '/v1/channel-accounts', account).expect(201);
  const callbackPath = new URL(body.callbackUrl).pathname;
  return { ...own, accountId: body.id, at: `/v1/channel-accounts/${body.id}`, callbackPath };
}

async function sync(own: Connected, ...names: string[]): Promise<void> {
  await synchronise(
    service.db,
    own.accountId,
    names.map((name) => template(name)),
  );
}

function syncRow({ accountId }: Connected) {
  return service.db
    .selectFrom('account_template_syncs')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
}

test('a new account is due at once, and its list is empty until it was read', async () => {
  const own = await connected();
  const { body } = await own.manage('get', `${own.at}/templates`).expect(200);
  const never = { syncedAt: null, syncFailedAt: null, syncError: null };
  expect(body).toEqual({ data: [], nextCursor: null, ...never, syncPending: true });
  await sync(own);
  const after = await own.manage('get', `${own.at}/templates`).expect(200);
  expect(after.body).toMatchObject({ data: [], syncedAt: expect.any(String), syncPending: false });
});

test('a template is listed with what it takes and an example that fits', async () => {
  const own = await connected();
  const known = template('shipped', {
    status: 'paused',
    reason: 'low quality',
    header: { kind: 'text', text: 'Order {{1}}', variables: [{ name: '1', example: null }] },
    footer: 'Bye',
    buttons: [
      { kind: 'url', text: 'Track', url: 'https://a.b/{{1}}', variable: { name: '1', example: 'A-7' } },
    ],
  });
  await synchronise(service.db, own.accountId, [
    known,
    template('zero', { body: { text: 'Hello', variables: [] } }),
  ]);
  const { body } = await own.manage('get', `${own.at}/templates`).expect(200);
  const [shown, zero] = body.data;
  const { wants, example, ...pieces } = shown;
  expect(pieces).toEqual(known);
  expect(wants).toEqual([
    { at: '/header', kind: 'text', required: true },
    { at: '/body/0', kind: 'text', required: true },
    { at: '/body/1', kind: 'text', required: true },
    { at: '/buttons/0', kind: 'text', required: true },
  ]);
  expect(example).toMatchObject({ name: 'shipped', language: 'en' });
  expect(checkTemplate(known, example.parameters)).toEqual([]);
  expect(zero).toMatchObject({ wants: [], example: { name: 'zero', language: 'en' } });
});

test('a long list comes in pages', async () => {
  const own = await connected();
  await sync(own, 'a', 'b', 'c', 'd', 'e');
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await own.manage('get', `${own.at}/templates?limit=2${cursor}`).expect(200);
    seen.push(...body.data.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor === null ? '' : `&cursor=${body.nextCursor}`;
  } while (cursor !== '');
  expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  const withNul = Buffer.from(JSON.stringify(['\u0000', 'en'])).toString('base64url');
  for (const bad of ['x', 'W10', 'WzEsMl0', 'bnVsbA', withNul]) {
    const { body } = await own.manage('get', `${own.at}/templates?cursor=${bad}`).expect(422);
    expect(body.errors).toMatchObject([{ at: 'query/cursor' }]);
  }
});

test('reading again is asked for, at most every ten seconds', async () => {
  const own = await connected();
  await sync(own, 'a');
  const { body } = await own.manage('post', `${own.at}/templates/sync`).expect(202);
  expect(body).toMatchObject({ syncedAt: expect.any(String), syncPending: true });
  const asked = await syncRow(own);
  expect(asked.due_at.getTime()).toBe(asked.claimed_at!.getTime() + 10_000);
  await own.manage('post', `${own.at}/templates/sync`).expect(202);
  expect(await syncRow(own)).toEqual(asked);
});

test('a provider without templates has an empty list, and nothing to read', async () => {
  const own = await service.tenant({ sandbox: false });
  const gateway = { provider: 'test-sms', name: 'x', settings: { token: 'good' } };
  const { body } = await own.manage('post', '/v1/channel-accounts', gateway).expect(201);
  const path = `/v1/channel-accounts/${body.id}/templates`;
  const listed = await own.manage('get', path).expect(200);
  expect(listed.body).toMatchObject({ data: [], syncedAt: null, syncPending: false });
  const refused = await own.manage('post', `${path}/sync`).expect(422);
  expect(refused.body).toMatchObject({ code: 'template-not-supported' });
});

test('the providers tell which of them have templates', async () => {
  const own = await service.tenant();
  const { body } = await own.manage('get', '/v1/providers').expect(200);
  const having = new Map(
    body.map((one: { id: string; capabilities: { templates: boolean } }) => [
      one.id,
      one.capabilities.templates,
    ]),
  );
  expect([having.get('test-templates'), having.get('test-sms'), having.get('telegram-bot')]).toEqual([
    true,
    false,
    false,
  ]);
});

test('new settings refuse nothing until the templates were read with them', async () => {
  const own = await connected();
  await sync(own, 'a');
  const unknown = { to: '+15550001000', template: { name: 'b', language: 'en' } };
  await own.notify('post', '/whatsapp/template', unknown).expect(422);
  await own.manage('patch', own.at, { name: 'Renamed' }).expect(200);
  expect(await syncRow(own)).toMatchObject({ synced_at: expect.any(Date) });
  await own.manage('patch', own.at, { settings: { business: 'other' } }).expect(200);
  expect(await syncRow(own)).toMatchObject({ synced_at: null });
  const elsewhere = own.through(await service.another());
  await elsewhere.notify('post', '/whatsapp/template', unknown).expect(202);
});

test('a callback changes the status, and one of an unknown template has all read again', async () => {
  const own = await connected();
  await sync(own, 'a', 'b');
  const before = await syncRow(own);
  const change = { name: 'a', language: 'en', status: 'rejected', reason: 'abusive' };
  const post = (changes: object[]) =>
    request(service.app).post(own.callbackPath).set('Content-Type', 'application/json').send(changes);
  await post([change]).expect(200);
  const { body } = await own.manage('get', `${own.at}/templates`).expect(200);
  expect(body.data).toMatchObject([change, { name: 'b', status: 'approved' }]);
  expect((await syncRow(own)).due_at).toEqual(before.due_at);
  await post([change, { ...change, name: 'new' }]).expect(200);
  expect((await syncRow(own)).due_at.getTime()).toBe(before.claimed_at!.getTime() + 60_000);
});

test('another tenant sees nothing of the templates', async () => {
  const own = await connected();
  await sync(own, 'a');
  const stranger = await service.tenant();
  await stranger.manage('get', `${own.at}/templates`).expect(404);
  await stranger.manage('post', `${own.at}/templates/sync`).expect(404);
});
