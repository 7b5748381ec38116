import type { Db } from '@notify/db/connection';
import { createLog } from '@notify/runtime';
import { inboundAccountOf, inboundText, makeTenant, makeWebhook, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { createIntake, type Intake } from '../src/intake.ts';

const log = createLog({ logLevel: 'silent' }, 'api');

function intakeOf(db: Db, woken: string[] = []): Intake {
  return createIntake({ db, log, wakeWebhooks: (webhooks) => woken.push(...webhooks.map(({ id }) => id)) });
}

/** Removes the partitions of messages, as a job that failed to make them would leave it. */
async function withoutPartitions(db: Db): Promise<{ partitions: number }> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'messages'::regclass`.execute(
    db,
  );
  for (const { name } of rows) await sql`drop table ${sql.raw(name)} cascade`.execute(db);
  return { partitions: rows.length };
}

const nothing = { inbound: [], moved: [], consents: [] };

test('callers share a commit, and each gets the results of its own messages in order', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const webhookId = await makeWebhook(test.db, tenant.tenantId);
  await sql`update webhooks set events = '{message.received}'`.execute(test.db);
  const woken: string[] = [];
  const intake = intakeOf(test.db, woken);
  const account = inboundAccountOf(tenant);
  const messages = Array.from(
    { length: 30 },
    (_, index) => inboundText(account, { externalId: `m-${index}` }).message,
  );
  const results = await Promise.all(
    messages.map((message, index) =>
      intake.store(account, { ...nothing, inbound: [message, messages[(index + 1) % 30]!] }),
    ),
  );
  const rows = await test.db.selectFrom('messages').select(['id', 'external_id']).execute();
  const ids = new Map(rows.map((row) => [row.external_id, row.id]));
  expect(ids.size).toBe(30);
  expect(results.map((pair) => pair.map((one) => ('messageId' in one ? one.messageId : one.kind)))).toEqual(
    messages.map((_, index) => [ids.get(`m-${index}`), ids.get(`m-${(index + 1) % 30}`)]),
  );
  expect(results.flat().filter(({ kind }) => kind === 'stored')).toHaveLength(30);
  const { rows: commits } = await sql<{ count: number }>`
    select count(distinct xmin::text)::int as count from messages`.execute(test.db);
  expect(commits[0]!.count).toBeLessThan(5);
  expect(new Set(woken)).toEqual(new Set([webhookId]));
});

test('large messages come in smaller batches', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const intake = intakeOf(test.db);
  const text = 'x'.repeat(65_536);
  await Promise.all(
    Array.from({ length: 120 }, () =>
      intake.store(account, { ...nothing, inbound: [inboundText(account, { body: { text } }).message] }),
    ),
  );
  const { rows } = await sql<{ most: number }>`
    select max(count)::int as most from (select count(*) from messages group by xmin::text) batches`.execute(
    test.db,
  );
  expect(rows[0]!.most).toBeLessThanOrEqual(40);
});

test('a message that can never be stored fails alone', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  await sql`alter table messages add constraint injected check (sender is distinct from '+666')`.execute(
    test.db,
  );
  const intake = intakeOf(test.db);
  const from = Array.from({ length: 20 }, (_, index) => (index === 7 ? '+666' : `+1555000${index}`));
  const done = await Promise.allSettled(
    from.map((one) =>
      intake.store(account, { ...nothing, inbound: [inboundText(account, { from: one }).message] }),
    ),
  );
  expect(done.map(({ status }) => status)).toEqual(
    from.map((one) => (one === '+666' ? 'rejected' : 'fulfilled')),
  );
  expect(await test.db.selectFrom('messages').select('id').execute()).toHaveLength(19);
  // The provider repeats it, and it is still no message that was seen.
  const seen = await test.db.selectFrom('inbound_seen').select('message_id').execute();
  expect(seen).toHaveLength(19);
});

test('of a message that Postgres refuses for what is in it, the fact that it came is stored', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  await sql`alter table messages add constraint injected check (body->>'text' is distinct from 'bad')`.execute(
    test.db,
  );
  const inbound = ['one', 'bad', 'two'].map(
    (text) => inboundText(account, { externalId: text, body: { text } }).message,
  );
  const results = await intakeOf(test.db).store(account, { ...nothing, inbound });
  const rows = await test.db.selectFrom('messages').select(['id', 'external_id', 'type', 'body']).execute();
  expect(results).toEqual(
    inbound.map(({ externalId }) => ({
      kind: 'stored',
      messageId: rows.find((row) => row.external_id === externalId)!.id,
    })),
  );
  expect(rows.find((row) => row.external_id === 'bad')).toMatchObject({
    type: 'unsupported',
    body: { kind: 'unreadable' },
  });
  expect(await intakeOf(test.db).store(account, { ...nothing, inbound })).toEqual(
    results.map((result) => ({ ...result, kind: 'repeated' })),
  );
});

test('a fault of the database itself is no fault of a message', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const inbound = ['one', 'two'].map((externalId) => inboundText(account, { externalId }).message);
  const { partitions } = await withoutPartitions(test.db);
  expect(partitions).toBeGreaterThan(0);
  await expect(intakeOf(test.db).store(account, { ...nothing, inbound })).rejects.toThrow(/partition/);
  expect(await test.db.selectFrom('inbound_seen').select('message_id').execute()).toEqual([]);
});

test('a consent that the provider tells by itself takes effect, and nothing to store is no commit', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const intake = intakeOf(test.db);
  expect(await intake.store(account, nothing)).toEqual([]);
  await intake.store(account, { ...nothing, consents: [{ recipient: '+15550001000', optedOut: true }] });
  expect(await test.db.selectFrom('suppressions').select('recipient').execute()).toEqual([
    { recipient: '15550001000' },
  ]);
});
