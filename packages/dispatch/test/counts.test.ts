import type { Outcome } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { settleMessages } from '@notify/db/dispatch';
import { acceptMessages, failExpired } from '@notify/db/messages';
import type { NewReceipt } from '@notify/db/receipts';
import { metrics } from '@notify/telemetry';
import {
  inboundAccountOf,
  inboundText,
  readMetrics,
  type Scraped,
  testDatabase,
  type TestDatabase,
  type TestTenant,
  textItem,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { countSent, countSettled, type EndedAttempt } from '../src/message-metrics.ts';
import { createIntake } from '../src/intake.ts';
import { createReceipts } from '../src/receipts.ts';
import { createMessageSettler } from '../src/settle.ts';
import { dispatchTurn, scripted, scriptedTenant, type Scripted, testDeps, testSecrets } from './scripted.ts';

const noSignal = new AbortController().signal;
const quiet = (): void => undefined;
let test_: TestDatabase;
let db: Db;
let tenant: TestTenant;

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  tenant = await scriptedTenant(db, testSecrets, { onUnknownOutcome: 'at-least-once' });
  metrics.registry.resetMetrics();
});
afterEach(() => test_[Symbol.asyncDispose]());

async function send(count: number, changes: Parameters<typeof textItem>[1] = {}): Promise<string[]> {
  const items = Array.from({ length: count }, () => textItem(tenant, changes));
  const { results } = await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
  return results.flatMap((result) => (result.kind === 'accepted' ? [result.message.id] : []));
}

/** A provider that takes everything, each under its own id. */
const accepting = (): Scripted =>
  scripted((_, count): Outcome => ({ kind: 'accepted', externalId: `ext-${count}` }), { maxInFlight: 20 });

/** A turn of the account, whose settlements are committed in batches. */
async function turn(provider: Scripted): Promise<void> {
  const deps = testDeps(db, provider, { maxInFlightOf: new Map([[tenant.accountId, 20]]) });
  const receipts = createReceipts({ ...deps, db });
  const settle = createMessageSettler({ ...deps, db, wakeWebhooks: quiet, receipts });
  await dispatchTurn(tenant.accountId, { ...deps, settle }, noSignal);
  receipts.close();
  expect(deps.errors).toEqual([]);
}

const read = async (): Promise<Scraped> => readMetrics(await metrics.registry.metrics());
const reached = async () => (await read()).by('status', 'notify_messages_total', { provider: 'scripted' });

/** The events that were told of messages, without `queued`. */
async function told(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select substring(event from 9) as status, count(*)::int as count from events where event <> 'message.queued'
    group by 1`.execute(db);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

const delivered = (messageId: string): NewReceipt => ({
  accountId: tenant.accountId,
  messageId,
  externalId: null,
  part: null,
  status: 'delivered',
});

test.each(['40P01', 'XX000'])(
  'a settlement that fails with %s and is repeated counts once',
  async (state) => {
    await send(300);
    await sql`
    create function refuse() returns trigger language plpgsql as ${sql.lit(`
      begin
        if random() < 1.0 / 30 then raise exception 'injected' using errcode = '${state}'; end if;
        return old;
      end`)}`.execute(db);
    await sql`create trigger refuse before delete on dispatch_due for each row execute function refuse()`.execute(
      db,
    );
    await turn(accepting());
    const all = await read();
    expect(await reached()).toEqual({ sent: 300 });
    expect(await told()).toEqual({ sent: 300 });
    expect(all.sum('notify_settlement_batches_total', { result: 'failed' })).toBeGreaterThan(0);
    expect(all.sum('notify_settled_total', { kind: 'messages' })).toBe(300);
    expect(all.sum('notify_time_to_provider_seconds_count', { size: 'single' })).toBe(300);
    expect(all.by('outcome', 'notify_provider_calls_total')).toEqual({ accepted: 300 });
    expect(all.sum('notify_leases_lost_total')).toBe(0);
  },
);

test('a settlement that is repeated after its commit counts no message twice', async () => {
  await send(3);
  const settled: EndedAttempt[] = [];
  const deps = testDeps(db, accepting(), { settle: async (one) => void settled.push(one) });
  await dispatchTurn(tenant.accountId, deps, noSignal);
  const [plain, ...others] = settled as [EndedAttempt, ...EndedAttempt[]];
  for (let time = 0; time < 2; time += 1) {
    countSettled(others, await settleMessages(db, others));
    countSettled([plain], await settleMessages(db, [plain]));
  }
  const all = await read();
  expect(await reached()).toEqual({ sent: 3 });
  expect(all.sum('notify_settled_total')).toBe(3);
  expect(all.sum('notify_leases_lost_total')).toBe(3);
  countSent([plain], { messageIds: new Set(), webhooks: [] });
  expect(await reached()).toEqual({ sent: 3 });
});

test('a receipt that comes twice, before or after its settlement, counts its status once', async () => {
  const [early, late] = await send(2);
  const receipts = createReceipts(testDeps(db, accepting()));
  await receipts.store([delivered(early!), delivered(early!)]);
  await turn(accepting());
  await receipts.store([delivered(late!)]);
  await receipts.store([delivered(late!)]);
  expect(await reached()).toEqual({ sent: 2, delivered: 2 });
  expect(await told()).toEqual({ sent: 2, delivered: 2 });
  const all = await read();
  expect(all.by('result', 'notify_receipts_total')).toEqual({ applied: 4 });
  expect(all.sum('notify_time_to_delivered_seconds_count', { provider: 'scripted' })).toBe(2);
  expect(all.sum('notify_time_to_delivered_seconds_sum')).toBeGreaterThan(0);
});

test('a receipt by an id that nobody knows yet counts as early, and as applied once it is', async () => {
  await send(1);
  const receipts = createReceipts(testDeps(db, accepting()));
  await receipts.store([{ ...delivered(''), messageId: null, externalId: 'ext-1' }]);
  expect((await read()).by('result', 'notify_receipts_total')).toEqual({ early: 1 });
  await turn(accepting());
  const counted = async () => (await read()).by('result', 'notify_receipts_total');
  // The first look for its message, which began when it was stored, may still hold it.
  await until(async () => {
    await sql`update receipts set apply_at = now()`.execute(db);
    await receipts.applyDue();
    return (await counted())['applied'] !== undefined;
  });
  expect(await counted()).toEqual({ early: 1, applied: 1 });
  expect(await reached()).toEqual({ sent: 1, delivered: 1 });
});

test('failures count by their code, and a code that settings name as other', async () => {
  const codes = ['recipient-rejected', 'a tenant wrote this'];
  await send(2);
  await turn(scripted((_, count) => ({ kind: 'rejected', errorCode: codes[count - 1]!, text: 'no' })));
  await send(3, { expiresInSeconds: 1 });
  await sql`update dispatch_due set expires_at = now()`.execute(db);
  const { reached: failed } = await failExpired(db, 10);
  expect(failed).toMatchObject(
    Array(3).fill({ provider: 'scripted', errorCode: 'expired', status: 'failed' }),
  );
  const all = await read();
  expect(all.by('error_code', 'notify_message_failures_total')).toEqual({
    'recipient-rejected': 1,
    other: 1,
  });
  expect(await reached()).toEqual({ failed: 2 });
  expect(await metrics.registry.metrics()).not.toContain('a tenant wrote this');
});

test('unknown outcomes and messages that are sent again count by provider', async () => {
  await send(2);
  await turn(
    scripted((_, count) =>
      count === 1 ? { kind: 'unknown', text: '?' } : { kind: 'accepted', externalId: null },
    ),
  );
  await sql`update dispatch_due set due_at = now()`.execute(db);
  await turn(accepting());
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from messages where possible_duplicate`.execute(db);
  const all = await read();
  expect(all.by('provider', 'notify_unknown_outcomes_total')).toEqual({ scripted: 1 });
  expect(all.by('provider', 'notify_repeated_sends_total')).toEqual({ scripted: 1 });
  expect(rows[0]!.count).toBe(1);
});

test('a message of an account that was connected later has waited only since then', async () => {
  await send(1);
  await sql`update messages set created_at = now() - interval '1 day'`.execute(db);
  await sql`update channel_accounts set last_connected_at = now() - interval '10 seconds'`.execute(db);
  await turn(accepting());
  const sum = (await read()).sum('notify_time_to_provider_seconds_sum');
  expect(sum).toBeGreaterThanOrEqual(10);
  expect(sum).toBeLessThan(60);
});

test('inbound messages count by kind, and as repeated when they come again', async () => {
  const account = inboundAccountOf(tenant);
  const intake = createIntake({ ...testDeps(db, accepting()), db });
  const text = inboundText(account).message;
  const reaction = inboundText(account, { type: 'reaction', body: { emoji: '👍' } }).message;
  const nothing = { moved: [], consents: [] };
  await intake.store(account, { ...nothing, inbound: [text, reaction] });
  await intake.store(account, { ...nothing, inbound: [text] });
  await intake.store(account, {
    ...nothing,
    inbound: [],
    consents: [{ recipient: '+15550001000', optedOut: true }],
  });
  const all = await read();
  expect(all.by('kind', 'notify_inbound_total', { provider: 'sandbox', result: 'stored' })).toEqual({
    message: 1,
    reaction: 1,
    consent: 1,
  });
  expect(all.by('kind', 'notify_inbound_total', { result: 'repeated' })).toEqual({ message: 1 });
});

test('two halves of a long text count as one message', async () => {
  const account = inboundAccountOf(tenant);
  const intake = createIntake({ ...testDeps(db, accepting()), db });
  const half = (index: number) =>
    inboundText(account, { body: { text: 'x' }, piece: { reference: 'r', index, total: 2 } }).message;
  const nothing = { moved: [], consents: [] };
  await intake.store(account, { ...nothing, inbound: [half(1)] });
  expect((await read()).sum('notify_inbound_total')).toBe(0);
  await intake.store(account, { ...nothing, inbound: [half(2)] });
  expect((await read()).sum('notify_inbound_total', { kind: 'message', result: 'stored' })).toBe(1);
});
