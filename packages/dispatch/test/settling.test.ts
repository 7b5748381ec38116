import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { createMessageSettler } from '../src/settle.ts';
import { dispatchTurn, scripted, scriptedTenant, type Scripted, testDeps, testSecrets } from './scripted.ts';

const accepted: Outcome = { kind: 'accepted', externalId: null };
const noSignal = new AbortController().signal;
const count = 300;

async function sendAll(db: Db, tenant: TestTenant): Promise<void> {
  const items = Array.from({ length: count }, () => textItem(tenant));
  await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
}

/** Has each settled row fail with this SQLSTATE by the condition, which may name `old`. */
async function failSettling(db: Db, state: string, condition: string): Promise<void> {
  await sql`
    create function refuse() returns trigger language plpgsql as ${sql.lit(`
      begin
        if ${condition} then raise exception 'injected' using errcode = '${state}'; end if;
        return old;
      end`)}`.execute(db);
  await sql`create trigger refuse before delete on dispatch_due for each row execute function refuse()`.execute(
    db,
  );
}

async function settleWith(db: Db, provider: Scripted, accountId: string): Promise<unknown[]> {
  const deps = testDeps(db, provider, { maxInFlightOf: new Map([[accountId, 20]]) });
  const wakeWebhooks = (): void => undefined;
  const receipts = { applyIn: () => undefined, applyEarly: () => undefined };
  const settle = createMessageSettler({ ...deps, db, wakeWebhooks, receipts });
  await dispatchTurn(accountId, { ...deps, settle }, noSignal);
  return deps.errors;
}

const statuses = async (db: Db) =>
  (
    await sql<{ line: string }>`
      select status || ' ' || count(*) as line from messages group by status order by 1`.execute(db)
  ).rows.map((row) => row.line);

// Each has its own database, and they wait for the settler's pauses together.
test.concurrent.each(['40P01', 'XX000'])(
  'where one settled row in thirty fails with %s, no answer is lost and nothing is sent twice',
  async (state) => {
    await using test = await testDatabase();
    const provider = scripted(() => accepted, { maxInFlight: 20 });
    const tenant = await scriptedTenant(test.db, testSecrets);
    await sendAll(test.db, tenant);
    await failSettling(test.db, state, 'random() < 1.0 / 30');
    expect(await settleWith(test.db, provider, tenant.accountId)).toEqual([]);
    expect(provider.ledger).toHaveLength(count);
    expect(await statuses(test.db)).toEqual([`sent ${count}`]);
  },
);

test.concurrent('a row that can never be stored takes no other answer with it', async () => {
  await using test = await testDatabase();
  const provider = scripted(() => accepted, { maxInFlight: 20 });
  const tenant = await scriptedTenant(test.db, testSecrets);
  await sendAll(test.db, tenant);
  const { rows } = await sql<{
    id: string;
  }>`select message_id as id from dispatch_due limit 1 offset 100`.execute(test.db);
  await failSettling(test.db, '22003', `old.message_id = '${rows[0]!.id}'`);
  const errors = await settleWith(test.db, provider, tenant.accountId);
  expect(errors).toEqual([expect.objectContaining({ messageId: rows[0]!.id })]);
  expect(await statuses(test.db)).toEqual(['queued 1', `sent ${count - 1}`]);
});
