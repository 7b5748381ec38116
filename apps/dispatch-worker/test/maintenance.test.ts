import { createLog } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { makeTenant, readMetrics, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { maintain } from '../src/maintenance.ts';

test('a step that fails does not keep the others from being done', async () => {
  await using test = await testDatabase();
  const { db } = test;
  await sql`alter table events rename to mislaid`.execute(db);
  await sql`
    insert into idempotency_keys (tenant_id, key, request_hash, message_id, account_id, created_at)
    values (uuidv7(), 'old', '', uuidv7(), uuidv7(), now() - interval '8 days')`.execute(db);
  await maintain({
    db,
    log: createLog({ logLevel: 'silent' }, 'test'),
    messageRetentionDays: 90,
    deliveryRetentionDays: 30,
    idempotencyDays: 7,
    ending: new AbortController().signal,
  });
  expect(await db.selectFrom('idempotency_keys').select('key').execute()).toEqual([]);
});

test('receipts that found no message within a day are dropped, and count as orphaned', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const { accountId } = await makeTenant(db);
  await sql`
    insert into receipts (account_id, external_id, status, received_at)
    select ${accountId}, 'unknown', 'delivered', now() - hours * interval '1 hour'
    from unnest(array[1, 25, 26]) hours`.execute(db);
  await maintain({
    db,
    log: createLog({ logLevel: 'silent' }, 'test'),
    messageRetentionDays: 90,
    deliveryRetentionDays: 30,
    idempotencyDays: 7,
    ending: new AbortController().signal,
  });
  expect(await db.selectFrom('receipts').select('id').execute()).toHaveLength(1);
  const read = readMetrics(await metrics.registry.metrics());
  expect(read.by('result', 'notify_receipts_total')).toEqual({ orphaned: 2 });
});

test('a process that ends begins no further step, and what its closed connections say is no failure', async () => {
  const test = await testDatabase();
  const lines: string[] = [];
  const log = createLog({ logLevel: 'info' }, 'test', { write: (line: string) => void lines.push(line) });
  const ending = new AbortController();
  const { db } = test;
  const days = { messageRetentionDays: 90, deliveryRetentionDays: 30, idempotencyDays: 7 };
  const maintained = maintain({ db, log, ...days, ending: ending.signal });
  ending.abort();
  await test[Symbol.asyncDispose]();
  await maintained;
  expect(lines).toEqual([]);
});
