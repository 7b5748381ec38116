import { randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { settleMessages } from '@notify/db/dispatch';
import { acceptResend, findResend } from '@notify/db/messages';
import { applyReceipts, type NewReceipt, storeReceipts } from '@notify/db/receipts';
import { retryDelivery, settleDeliveries } from '@notify/db/webhooks';
import {
  makeTenant,
  makeWebhook,
  type TestDatabase,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { type MessageHistoryRow, readHistory } from '../../src/messages/history.ts';
import { claimAs, ended, givenUp, ok } from '../attempts.ts';
import { accepted, claim, rules, send, settle, settlement, unknown } from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

async function history(id: string): Promise<MessageHistoryRow> {
  return (await readHistory(db, tenant.tenantId, id))!;
}

const names = ({ events }: MessageHistoryRow) => events.map(({ event, sequence }) => `${sequence} ${event}`);

async function report(messageId: string, ...reports: Partial<NewReceipt>[]): Promise<void> {
  const base = {
    accountId: tenant.accountId,
    messageId,
    externalId: null,
    part: null,
    status: 'delivered',
  } as const;
  const ids = await storeReceipts(
    db,
    reports.map((one) => ({ ...base, ...one })),
  );
  await applyReceipts(db, { kind: 'ids', ids });
}

test('a message that waits has its event, and says when it is due and that it can be canceled', async () => {
  const [id] = await send(db, tenant);
  const waits = await history(id!);
  expect(waits.message).toMatchObject({
    cancelable: true,
    account_name: 'test',
    account_provider: 'sandbox',
  });
  expect(waits.message.next_attempt_at).not.toBeNull();
  expect(names(waits)).toEqual(['1 message.queued']);
  await claim(db, tenant);
  const { message } = await history(id!);
  expect(message).toMatchObject({ cancelable: false, next_attempt_at: null, part: 0 });
  expect(message.began_at).not.toBeNull();
});

test('an account that is held until somebody acts promises no time', async () => {
  const [id] = await send(db, tenant);
  await sql`update channel_accounts set paused_until = 'infinity'`.execute(db);
  expect((await history(id!)).message).toMatchObject({ cancelable: true, next_attempt_at: null });
});

test('attempts and reports are told as they came, every event is found among those of others', async () => {
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  await settle(
    db,
    claimed!,
    { kind: 'retry', errorCode: 'busy', text: 'come back', providerCode: '503' },
    { kind: 'retry', afterMs: 0 },
  );
  await send(db, tenant, 5);
  const [again] = await claim(db, tenant, { limit: 1 });
  expect(again!.messageId).toBe(id);
  await settle(db, again!, accepted, { kind: 'sent' });
  await report(id!, { status: 'delivered', providerCode: '0', text: 'at the phone' }, { status: 'read' });
  const told = await history(id!);
  expect(told.attempts).toMatchObject([
    { number: 1, part: 0, outcome: 'retry', providerCode: '503', text: 'come back' },
    { number: 2, part: 0, outcome: 'accepted', providerCode: null },
  ]);
  expect(told.message.reports).toMatchObject([
    { status: 'delivered', providerCode: '0', text: 'at the phone' },
    { status: 'read', at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) },
  ]);
  expect(names(told)).toEqual([
    '1 message.queued',
    '2 message.sent',
    '3 message.delivered',
    '4 message.read',
  ]);
});

test('a failure that was corrected later is still found', async () => {
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, accepted, { kind: 'sent' });
  await report(id!, { status: 'failed', errorCode: 'unreachable', text: 'switched off' });
  await report(id!, { status: 'delivered' });
  const told = await history(id!);
  expect(told.message).toMatchObject({ status: 'delivered', failed_at: null });
  expect(names(told)).toEqual([
    '1 message.queued',
    '2 message.sent',
    '3 message.failed',
    '4 message.delivered',
  ]);
});

test('so is one that nobody’s attempt ended, for no report came in time', async () => {
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, unknown, { kind: 'await-receipt', afterMs: 0 });
  const [unreceipted] = await claim(db, tenant);
  const failed = { kind: 'failed', errorCode: 'outcome-unknown', text: 'nobody knows' } as const;
  await settleMessages(db, [{ ...settlement(unreceipted!, unknown, failed), attempted: false }]);
  await send(db, tenant, 3);
  await report(id!, { status: 'delivered' });
  const told = await history(id!);
  expect(told.attempts).toMatchObject([{ outcome: 'unknown' }]);
  expect(names(told)).toEqual([
    '1 message.queued',
    '2 message.failed',
    '3 message.sent',
    '4 message.delivered',
  ]);
});

test('of a provider that repeats itself the first 20 reports are kept', async () => {
  const [id] = await send(db, tenant);
  for (let round = 0; round < 3; round += 1)
    await report(
      id!,
      ...Array.from({ length: 15 }, (_, index) => ({ text: `${round} ${index} ${'😀'.repeat(400)}` })),
    );
  const { message } = await history(id!);
  expect(message.reports.length).toBeGreaterThanOrEqual(20);
  expect(message.reports.length).toBeLessThan(40);
  expect(message.reports[0]!.text).toMatch(/^0 0 /);
});

test('deliveries are found, waiting and ended, also one made again by hand', async () => {
  const webhooks = [await makeWebhook(db, tenant.tenantId), await makeWebhook(db, tenant.tenantId)];
  const [id] = await send(db, tenant);
  await send(db, tenant, 3);
  const all = await claimAs(db, webhooks[0]!);
  const { events } = await history(id!);
  const mine = all.filter(({ eventId }) => eventId === events[0]!.id);
  expect(mine).toHaveLength(1);
  await settleDeliveries(db, [ended(mine[0]!, givenUp)]);
  await retryDelivery(db, tenant.tenantId, webhooks[0]!, { deliveryId: mine[0]!.id });
  const { deliveries } = await history(id!);
  expect(deliveries.map(({ webhookId, state, attempts }) => [webhookId, state, attempts])).toEqual(
    expect.arrayContaining([
      [webhooks[0], 'failed', 1],
      [webhooks[0], 'waiting', 0],
      [webhooks[1], 'waiting', 0],
    ]),
  );
  expect(deliveries).toHaveLength(3);
  const failed = deliveries.find(({ state }) => state === 'failed')!;
  expect(failed).toMatchObject({
    url: 'https://example.com/hook',
    event: 'message.queued',
    reason: 'attempts-exhausted',
    nextAttemptAt: null,
    lastAttempt: { status: 500, error: null, durationMs: 12 },
  });
  const other = all.find(({ eventId }) => eventId !== events[0]!.id)!;
  await settleDeliveries(db, [ended(other, ok)]);
  expect((await history(id!)).deliveries).toHaveLength(3);
});

test('another tenant’s message has no history, nor has one that is not there', async () => {
  const [id] = await send(db, tenant);
  const { tenantId } = await makeTenant(db);
  expect(await readHistory(db, tenantId, id!)).toBeNull();
  expect(await readHistory(db, tenantId, randomUUID())).toBeNull();
});

test('a message and the one that replaces it know each other', async () => {
  const [first] = await send(db, tenant);
  const item = textItem(tenant, { keyId: null, idempotencyKey: 'once' });
  const original = { messageId: first!, possibleDuplicate: true };
  const both = await Promise.all([1, 2].map(() => acceptResend(db, item, original, rules)));
  const [id, same] = both.map(({ results: [result] }) =>
    result?.kind === 'accepted' ? result.message.id : null,
  );
  expect(same).toBe(id);
  expect((await history(first!)).message).toMatchObject({ resent_as: id, resend_of: null });
  expect((await history(id!)).message).toMatchObject({ resend_of: first, possible_duplicate: true });
  expect(await findResend(db, tenant.tenantId, first!)).toMatchObject({
    message: { id: first },
    successor: { id },
  });
});
