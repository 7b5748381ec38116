import { type AcceptItem, acceptMessages } from '@notify/db/messages';
import { makeTenant, openTestDb, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import type { AcceptRules } from '../../src/messages/accept-statement.ts';

const rules: AcceptRules = { idempotencyDays: 7, blockExpiredTrials: false };

async function accept(db: Parameters<typeof acceptMessages>[0], ...items: AcceptItem[]) {
  return (await acceptMessages(db, items, rules)).results;
}

test('an accepted message stands in messages and dispatch_due, with its event and a delivery per subscriber', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await makeWebhook(test.db, tenant, ['message.queued', 'message.failed']);
  await makeWebhook(test.db, tenant, ['message.sent']);
  const accepted = await acceptMessages(test.db, [textItem(tenant), textItem(tenant, { bulk: true })], rules);
  expect(accepted.results.map((result) => result.kind)).toEqual(['accepted', 'accepted']);
  expect(accepted.accounts).toEqual([{ id: tenant.accountId, lane: 'fast' }]);
  expect(accepted.webhooks).toHaveLength(1);
  expect(await counts(test.db)).toEqual({ messages: 2, due: 2, events: 2, deliveries: 2 });
  const { body } = await test.db.selectFrom('events').select('body').limit(1).executeTakeFirstOrThrow();
  expect(JSON.parse(body)).toMatchObject({
    event: 'message.queued',
    messageId: expect.stringMatching(/^msg_[0-9a-f-]{36}$/),
    id: expect.stringMatching(/^evt_/),
    tenantId: `ten_${tenant.tenantId}`,
    channelAccountId: tenant.accountId,
    provider: 'sms',
    to: '+15550001000',
    type: 'text',
    status: 'queued',
    sequence: 1,
    occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(JSON.parse(body)).not.toHaveProperty('error');
});

test('the same key and request answer with the first message; another request is refused', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const item = textItem(tenant, { idempotencyKey: 'k' });
  const other = textItem(tenant, { idempotencyKey: 'k', requestHash: '07e4' });
  const [first] = await accept(test.db, item);
  const [again] = await accept(test.db, item);
  expect(again).toEqual({ ...first, repeated: true });
  expect(await accept(test.db, other)).toEqual([{ kind: 'refused', code: 'idempotency-key-reused' }]);
  expect(await counts(test.db)).toMatchObject({ messages: 1, due: 1 });
});

test('each item of a batch has its own sender, and the ids of all of them ascend in their order', async () => {
  await using test = await testDatabase();
  // Plans once for any batch, so by a join that keeps no order.
  const db = openTestDb(test.url, { maxConnections: 1, hot: true });
  const tenants = [await makeTenant(test.db), await makeTenant(test.db)];
  const elsewhere = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
  const items = Array.from({ length: 60 }, (_, index) =>
    textItem(tenants[index % 2]!, { bulk: true, ...(index % 3 === 0 ? { accountId: elsewhere } : {}) }),
  );
  const results = await accept(db, ...items);
  await db.destroy();
  const made = results.flatMap((result) => (result.kind === 'refused' ? [] : [result.message]));
  const ids = made.map((message) => message.id);
  expect(ids).toEqual(ids.toSorted());
  expect(results.map((result) => result.kind)).toEqual(
    items.map((item) => (item.accountId === null ? 'accepted' : 'failed')),
  );
  expect(made.map((message) => message.channelAccountId)).toEqual(
    items.map((item, index) => (item.accountId === null ? tenants[index % 2]!.accountId : null)),
  );
});

test('a repeat is answered though the account is gone by now', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const item = textItem(tenant, { idempotencyKey: 'k' });
  const [first] = await accept(test.db, item);
  await test.db.updateTable('channel_accounts').set({ deleted_at: new Date() }).execute();
  expect(await accept(test.db, item)).toEqual([{ ...first, repeated: true }]);
  expect(await accept(test.db, textItem(tenant))).toEqual([
    { kind: 'refused', code: 'channel-not-connected' },
  ]);
});

test('within one call, a key given twice is one message, and a conflict is a failed one that keeps the key', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const item = textItem(tenant, { bulk: true, idempotencyKey: 'k' });
  const [a, b, c] = await accept(test.db, item, item, { ...item, requestHash: '07e4' });
  expect(b).toEqual({ ...a, repeated: true });
  expect(c).toMatchObject({ kind: 'failed', errorCode: 'idempotency-key-reused' });
  expect(await counts(test.db)).toMatchObject({ messages: 2, due: 1 });
  expect(await accept(test.db, item)).toEqual([{ ...a, repeated: true }]);
});

test('a bulk item that cannot be sent is stored as failed, tells only message.failed and does not use up its key', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const bad = textItem(tenant, {
    bulk: true,
    idempotencyKey: 'k',
    preFailed: { errorCode: 'invalid-recipient', text: 'not a phone number' },
  });
  const [failed] = await accept(test.db, bad);
  expect(failed).toMatchObject({
    kind: 'failed',
    errorCode: 'invalid-recipient',
    error: 'not a phone number',
  });
  expect(await test.db.selectFrom('events').select(['event', 'sequence']).execute()).toEqual([
    { event: 'message.failed', sequence: 1 },
  ]);
  const stored = await test.db.selectFrom('messages').selectAll().executeTakeFirstOrThrow();
  expect(stored).toMatchObject({ status: 'failed', error_code: 'invalid-recipient', emitted: ['failed'] });
  const [fine] = await accept(test.db, textItem(tenant, { bulk: true, idempotencyKey: 'k' }));
  expect(fine).toMatchObject({ kind: 'accepted', repeated: false });
});

test('a key past its time is taken anew, once its message waits no longer', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const item = textItem(tenant, { idempotencyKey: 'k' });
  const [first] = await accept(test.db, item);
  await sql`update idempotency_keys set created_at = now() - interval '8 days'`.execute(test.db);
  const { id } = first?.kind === 'accepted' ? first.message : { id: '' };
  expect(await accept(test.db, item)).toMatchObject([{ repeated: true, message: { id } }]);
  await sql`delete from dispatch_due`.execute(test.db);
  const [second] = await accept(test.db, item);
  expect(second).toMatchObject({ kind: 'accepted', repeated: false });
  expect(second).not.toEqual(first);
  expect(await accept(test.db, item)).toEqual([{ ...second, repeated: true }]);
});

test('a key that a process of the version before stored for the recipient as written is the same, and no other', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const before = textItem(tenant, { to: '+5215512345678', idempotencyKey: 'k', requestHash: 'aaaa' });
  const [first] = await accept(test.db, before);
  const after = { ...before, requestHash: 'bbbb', earlierHash: 'aaaa' };
  const plain = textItem(tenant, { idempotencyKey: 'other' });
  const [again, other] = await accept(test.db, after, plain);
  expect(again).toEqual({ ...first, repeated: true });
  expect(other).toMatchObject({ kind: 'accepted', repeated: false });
  const spelled = { ...after, to: '+525512345678' };
  expect(await accept(test.db, spelled)).toMatchObject([
    { repeated: true, message: { recipient: '+5215512345678' } },
  ]);
  expect(await accept(test.db, { ...after, earlierHash: 'cccc' })).toEqual([
    { kind: 'refused', code: 'idempotency-key-reused' },
  ]);
});

test('a revoked key, a blocked tenant and a foreign account are refused in the commit itself', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const foreign = textItem(tenant, { accountId: stranger.accountId });
  expect(await accept(test.db, foreign)).toEqual([{ kind: 'refused', code: 'channel-account-not-found' }]);
  const wrongKey = textItem(tenant, { keyId: stranger.keyId });
  expect(await accept(test.db, wrongKey)).toEqual([{ kind: 'refused', code: 'invalid-api-key' }]);
  await test.db
    .updateTable('api_keys')
    .set({ revoked_at: new Date() })
    .where('id', '=', tenant.keyId)
    .execute();
  expect(await accept(test.db, textItem(tenant))).toEqual([{ kind: 'refused', code: 'invalid-api-key' }]);
  await test.db.updateTable('tenants').set({ blocked_at: new Date() }).execute();
  expect(await accept(test.db, textItem(stranger))).toEqual([{ kind: 'refused', code: 'forbidden' }]);
  expect(await counts(test.db)).toEqual({ messages: 0, due: 0, events: 0, deliveries: 0 });
});

test('an expired trial blocks only where the operator says so', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await test.db
    .updateTable('tenants')
    .set({ trial_ends_at: new Date(0) })
    .execute();
  expect((await accept(test.db, textItem(tenant)))[0]?.kind).toBe('accepted');
  const blocking = { ...rules, blockExpiredTrials: true };
  const { results } = await acceptMessages(test.db, [textItem(tenant)], blocking);
  expect(results).toEqual([{ kind: 'refused', code: 'trial-expired' }]);
});

test('200 rounds of clients that race the same keys in batches of opposite order: one message per key, no deadlock', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`);
  const batch = (order: readonly string[]) =>
    acceptMessages(
      test.db,
      order.map((key) => textItem(tenant, { idempotencyKey: key })),
      rules,
    );
  for (let round = 0; round < 200; round += 1) {
    const names = keys.map((key) => `${round}-${key}`);
    const answers = await Promise.all([
      batch(names),
      batch(names.toReversed()),
      batch(names),
      batch(names.toReversed()),
    ]);
    const ids = answers.flatMap((answer) =>
      answer.results.map((result) => (result.kind === 'accepted' ? result.message.id : result.kind)),
    );
    expect(new Set(ids).size).toBe(keys.length);
    const fresh = answers.flatMap((answer) =>
      answer.results.filter((r) => r.kind === 'accepted' && !r.repeated),
    );
    expect(fresh).toHaveLength(keys.length);
  }
  expect(await counts(test.db)).toMatchObject({ messages: 4_000, due: 4_000, events: 4_000 });
});

async function makeWebhook(db: Parameters<typeof acceptMessages>[0], tenant: TestTenant, events: string[]) {
  await db
    .insertInto('webhooks')
    .values({
      id: sql`uuidv7()`,
      tenant_id: tenant.tenantId,
      url: 'https://example.com',
      events,
      secret: 'x',
    })
    .execute();
}

async function counts(db: Parameters<typeof acceptMessages>[0]) {
  const { rows } = await sql<{ messages: number; due: number; events: number; deliveries: number }>`
    select (select count(*)::int from messages) as messages, (select count(*)::int from dispatch_due) as due,
      (select count(*)::int from events) as events, (select count(*)::int from delivery_due) as deliveries`.execute(
    db,
  );
  return rows[0];
}
