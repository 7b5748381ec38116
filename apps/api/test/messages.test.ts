import { type AcceptItem, acceptMessages } from '@notify/db/messages';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { sql } from 'kysely';
import { type Caller, messagingApp, type MessagingApp } from './messaging-app.ts';

let service: MessagingApp;
let caller: Caller;
beforeAll(async () => {
  service = await messagingApp();
});
beforeEach(async () => {
  caller = await service.tenant();
});
afterAll(() => service[Symbol.asyncDispose]());

const to = '+15550001000';
const list = (query: object) => caller.manage('get', '/v1/messages').query(query);

async function sendOne(changes: object = {}): Promise<string> {
  return (await caller.notify('post', '/sms/text', { to, text: 'hello', ...changes }).expect(202)).body.id;
}

/** Has the message fail, by what its provider reports. */
async function fail(id: string, errorCode = 'unreachable'): Promise<void> {
  const { accountId } = await service.db
    .selectFrom('dispatch_due')
    .select('account_id as accountId')
    .where('message_id', '=', id.slice(4))
    .executeTakeFirstOrThrow();
  const receipt = { accountId, messageId: id.slice(4), externalId: null, part: null, errorCode };
  const ids = await storeReceipts(service.db, [{ ...receipt, status: 'failed' }]);
  await applyReceipts(service.db, { kind: 'ids', ids });
}

describe('GET /v1/messages', () => {
  test('pages newest first, and filters', async () => {
    const ids = [await sendOne(), await sendOne({ to: '+15550002000' }), await sendOne()];
    const telegram = await caller.notify('post', '/telegram/text', { to: '42', text: 'hi' }).expect(202);
    const all = await list({}).expect(200);
    const newest = [telegram.body.id, ...ids.toReversed()];
    expect(all.body.data.map(({ messageId }: { messageId: string }) => messageId)).toEqual(newest);
    expect(all.body).toMatchObject({ nextCursor: null, searchedTo: null });
    expect(all.body.data[0]).toMatchObject({ provider: 'telegram', body: { text: 'hi' }, status: 'queued' });

    const first = await list({ limit: 3 }).expect(200);
    expect(first.body.searchedTo >= first.body.data[2].createdAt).toBe(true);
    const second = await list({ limit: 3, cursor: first.body.nextCursor }).expect(200);
    expect(second.body.data).toMatchObject([{ messageId: ids[0] }]);
    expect(second.body.nextCursor).toBeNull();

    const filtered = async (query: object): Promise<string[]> =>
      (await list(query).expect(200)).body.data.map(({ messageId }: { messageId: string }) => messageId);
    expect(await filtered({ to: '+15550002000' })).toEqual([ids[1]]);
    expect(await filtered({ to: '15550002000' })).toEqual([ids[1]]);
    expect(await filtered({ channel: 'telegram', status: 'queued' })).toEqual([telegram.body.id]);
    expect(await filtered({ channel: 'telegram', status: 'failed' })).toEqual([]);
    const account = telegram.body.channelAccountId.toUpperCase();
    expect(await filtered({ channelAccountId: account })).toEqual([telegram.body.id]);
    const [middle] = all.body.data.slice(1);
    expect(await filtered({ from: middle.createdAt })).toEqual(newest.slice(0, 2));
    expect(await filtered({ until: middle.createdAt })).toEqual(newest.slice(2));
  });

  test('takes a plus that was not escaped', async () => {
    const id = await sendOne();
    const { body } = await caller.manage('get', `/v1/messages?to=${to}`).expect(200);
    expect(body.data).toMatchObject([{ messageId: id }]);
  });

  test.each([
    ['query/channel', { channel: 'fax' }],
    ['query/status', { status: 'read' }],
    ['query/channelAccountId', { channelAccountId: 'x' }],
    ['query/to', { to: '' }],
    ['query/from', { from: 'yesterday' }],
    ['query/until', { until: '2026-02-30T00:00:00Z' }],
    ['query/until', { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }],
    ['query/limit', { limit: 101 }],
    ['query/cursor', { cursor: 'nonsense' }],
    ['query/q', { q: 'x' }],
  ])('names %s as at fault', async (at, query) => {
    const { status, body } = await list(query);
    expect([status, body.errors.map((error: { at: string }) => error.at)]).toEqual([422, [at]]);
  });
});

describe('POST /v1/messages', () => {
  test('sends with the session, within a rate that headers tell', async () => {
    const sent = await caller.manage('post', '/v1/messages', { channel: 'sms', to, text: 'a test' });
    expect(sent).toMatchObject({ status: 202, body: { provider: 'sms', to, status: 'queued' } });
    expect(sent.headers['ratelimit-limit']).toBe(String(service.deps.settings.keyRatePerMinute));
    await caller.notify('get', `/messages/${sent.body.id}`).expect(200);
  });

  test('is idempotent as other sends are, also together with one by key', async () => {
    const body = { to, text: 'once', idempotencyKey: 'k' };
    const first = await caller.manage('post', '/v1/messages', { channel: 'sms', ...body }).expect(202);
    const again = await caller.manage('post', '/v1/messages', { channel: 'sms', ...body }).expect(202);
    const byKey = await caller.notify('post', '/sms/text', body).expect(202);
    expect([again.body.id, byKey.body.id]).toEqual([first.body.id, first.body.id]);
  });

  test.each([
    ['invalid-request', 'body/channel', { channel: 'fax', to, text: 'x' }],
    ['invalid-request', 'body/text', { channel: 'sms', to }],
    ['invalid-recipient', 'body/to', { channel: 'sms', to: '12', text: 'x' }],
    ['invalid-request', 'body/txt', { channel: 'sms', to, text: 'x', txt: 'x' }],
  ])('answers %s, naming %s', async (code, at, body) => {
    const answer = await caller.manage('post', '/v1/messages', body);
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ code, errors: [{ at }] });
  });

  test('of a blocked tenant, or over the rate, sends nothing', async () => {
    await using strict = await messagingApp({ keyRatePerMinute: 2 });
    const tenant = await strict.tenant();
    const send = () => tenant.manage('post', '/v1/messages', { channel: 'sms', to, text: 'x' });
    await send().expect(202);
    await send().expect(202);
    const over = await send().expect(429);
    expect(over.body.code).toBe('rate-limited');
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('counts a tenant that was blocked, or is gone, in the commit', async () => {
    const item: AcceptItem = {
      tenantId: caller.tenantId,
      keyId: null,
      channel: 'sms',
      accountId: null,
      to,
      type: 'text',
      body: { text: 'x' },
      bulk: false,
      expiresInSeconds: 60,
      idempotencyKey: null,
      requestHash: '00',
    };
    const accept = async () =>
      (await acceptMessages(service.db, [item], { idempotencyDays: 7, blockExpiredTrials: false })).results;
    await sql`update tenants set blocked_at = now() where id = ${caller.tenantId}`.execute(service.db);
    expect(await accept()).toEqual([{ kind: 'refused', code: 'forbidden' }]);
    await sql`delete from tenants where id = ${caller.tenantId}`.execute(service.db);
    expect(await accept()).toEqual([{ kind: 'refused', code: 'invalid-api-key' }]);
  });
});

describe('POST /v1/messages/:id/cancel', () => {
  test('fails a message that waits, once, and wakes who is told of it', async () => {
    const webhook = await caller.manage('post', '/v1/webhooks', { url: 'https://example.com/' }).expect(201);
    const id = await sendOne();
    service.wakes.length = 0;
    const canceled = await caller.manage('post', `/v1/messages/${id}/cancel`).expect(200);
    expect(canceled.body).toMatchObject({ messageId: id, status: 'failed', errorCode: 'canceled' });
    expect(service.wakes).toEqual([`webhooks fast ${webhook.body.id.slice(3)}`]);
    const again = await caller.manage('post', `/v1/messages/${id}/cancel`).expect(409);
    expect(again.body).toMatchObject({ code: 'not-cancelable', detail: 'The message has failed.' });
  });

  test('refuses one that is being sent', async () => {
    const id = await sendOne();
    const { body } = await caller.notify('get', `/messages/${id}`);
    await service.db
      .updateTable('dispatch_due')
      .set({ claimed_by: crypto.randomUUID() })
      .where('message_id', '=', id.slice(4))
      .execute();
    const refused = await caller.manage('post', `/v1/messages/${id}/cancel`).expect(409);
    expect(refused.body.code).toBe('not-cancelable');
    await caller.notify('get', `/messages/${id}`).expect(200, body);
  });
});

describe('POST /v1/messages/:id/resend', () => {
  const resend = (id: string, body: object = {}) => caller.manage('post', `/v1/messages/${id}/resend`, body);

  test('sends a failed message again, as a new one that knows it', async () => {
    const id = await sendOne({ expiresInSeconds: 90 });
    await fail(id);
    const resent = await resend(id).expect(202);
    expect(resent.body).toMatchObject({
      to,
      body: { text: 'hello' },
      resendOf: id,
      possibleDuplicate: false,
    });
    expect(resent.body.id).not.toBe(id);
    const shown = await caller.manage('get', `/v1/messages/${resent.body.id}`).expect(200);
    expect(shown.body).toMatchObject({ status: 'queued', resendOf: id, resentAs: null, cancelable: true });
    expect(Date.parse(shown.body.expiresAt) - Date.parse(shown.body.createdAt)).toBe(90_000);
    const failed = await caller.manage('get', `/v1/messages/${id}`).expect(200);
    expect(failed.body).toMatchObject({ status: 'failed', resentAs: resent.body.id });
  });

  test('twice at once, and once more later, is one message', async () => {
    const id = await sendOne();
    await fail(id);
    const answers = await Promise.all([1, 2, 3].map(() => resend(id).expect(202)));
    const later = await resend(id).expect(202);
    const ids = new Set([...answers, later].map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    expect((await list({}).expect(200)).body.data).toHaveLength(2);
  });

  test('again, when what replaced it has failed as well, is another message', async () => {
    const id = await sendOne();
    await fail(id);
    const first = (await resend(id).expect(202)).body.id;
    await fail(first);
    const second = (await resend(id).expect(202)).body.id;
    expect(new Set([id, first, second]).size).toBe(3);
    expect((await resend(id).expect(202)).body.id).toBe(second);
  });

  test('says so where the one before may have arrived', async () => {
    const id = await sendOne();
    await fail(id, 'outcome-unknown');
    const resent = await resend(id).expect(202);
    expect(resent.body.possibleDuplicate).toBe(true);
    const looked = await caller.notify('get', `/messages/${resent.body.id}`).expect(200);
    expect(looked.body.possibleDuplicate).toBe(true);
  });

  test('refuses one that has not failed', async () => {
    const refused = await resend(await sendOne()).expect(409);
    expect(refused.body).toMatchObject({ code: 'not-resendable', detail: 'Its status is queued.' });
  });

  test('goes by the default account where its own was removed, and by another where one is named', async () => {
    const settings = { channel: 'sms' };
    const make = { provider: 'sandbox', name: 'other', settings };
    const other = (await caller.manage('post', '/v1/channel-accounts', make).expect(201)).body.id;
    const third = (await caller.manage('post', '/v1/channel-accounts', make).expect(201)).body.id;
    const id = await sendOne({ channelAccountId: other });
    await fail(id);
    await caller.manage('delete', `/v1/channel-accounts/${other}`).expect(204);
    const byDefault = await resend(id).expect(202);
    expect(byDefault.body.channelAccountId).not.toBe(other);
    await fail(byDefault.body.id);
    const named = await resend(id, { channelAccountId: third }).expect(202);
    expect(named.body.channelAccountId).toBe(third);
    await fail(named.body.id);
    const gone = await resend(id, { channelAccountId: other }).expect(422);
    expect(gone.body.code).toBe('channel-account-not-found');
  });

  test('of a recipient that cannot be one is refused as any send', async () => {
    const bulk = { messages: [{ to: 'nobody', text: 'x' }] };
    const [item] = (await caller.notify('post', '/sms/bulk', bulk).expect(202)).body;
    expect((await resend(item.id).expect(422)).body.code).toBe('invalid-recipient');
  });

  test('is held by the limit of waiting messages', async () => {
    await using full = await messagingApp({ maxWaitingPerTenant: 1 });
    const tenant = await full.tenant();
    const bulk = { messages: [{ to, text: 'x', channelAccountId: crypto.randomUUID() }] };
    const [item] = (await tenant.notify('post', '/sms/bulk', bulk).expect(202)).body;
    await tenant.notify('post', '/sms/text', { to, text: 'x' }).expect(202);
    const refused = await tenant.manage('post', `/v1/messages/${item.id}/resend`, {}).expect(429);
    expect(refused.body.code).toBe('limit-reached');
  });
});

test('ids are taken as everywhere, and another tenant’s are unknown', async () => {
  const id = await sendOne();
  const other = await service.tenant();
  for (const [method, path] of [
    ['get', ''],
    ['post', '/cancel'],
    ['post', '/resend'],
  ] as const) {
    for (const wrong of ['nonsense', `msg_${crypto.randomUUID()}`])
      await caller.manage(method, `/v1/messages/${wrong}${path}`).expect(404);
    const foreign = await other.manage(method, `/v1/messages/${id}${path}`);
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not-found']);
  }
  await caller.manage('get', `/v1/messages/${id.slice(4).toUpperCase()}`).expect(200);
});
