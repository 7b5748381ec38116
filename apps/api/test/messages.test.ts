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

describe('POST /v1/messages', () => {
  test('over the rate is refused, says when to come back, and stores nothing', async () => {
    await using strict = await messagingApp({ keyRatePerMinute: 2 });
    const tenant = await strict.tenant();
    const send = () => tenant.manage('post', '/v1/messages', { channel: 'sms', to, text: 'x' });
    await send().expect(202);
    await send().expect(202);
    const over = await send().expect(429);
    expect(over.body.code).toBe('rate-limited');
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect(await strict.db.selectFrom('messages').select('id').execute()).toHaveLength(2);
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
  test('of a message that waits, which says that it can be canceled, wakes who is told of it', async () => {
    const webhook = await caller.manage('post', '/v1/webhooks', { url: 'https://example.com/' }).expect(201);
    const id = await sendOne();
    const { body } = await caller.manage('get', `/v1/messages/${id}`).expect(200);
    expect(body).toMatchObject({ status: 'queued', cancelable: true });
    service.wakes.length = 0;
    await caller.manage('post', `/v1/messages/${id}/cancel`).expect(200);
    expect(service.wakes).toEqual([`webhooks fast ${webhook.body.id.slice(3)}`]);
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

  test('several times at once, and once more later, is one message', async () => {
    const id = await sendOne();
    await fail(id);
    const answers = await Promise.all([1, 2, 3].map(() => resend(id).expect(202)));
    const later = await resend(id).expect(202);
    const ids = new Set([...answers, later].map(({ body }) => body.id));
    expect(ids.size).toBe(1);
    const stored = service.db.selectFrom('messages').select('id').where('tenant_id', '=', caller.tenantId);
    expect(await stored.execute()).toHaveLength(2);
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
