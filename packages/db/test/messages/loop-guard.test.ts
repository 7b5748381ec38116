import { loopGuard } from '@notify/core';
import { findAccount } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import { sql } from 'kysely';
import { claim, rules } from '../dispatching.ts';
import { storeInbound } from '../store-inbound.ts';

const echo = '+15550001000';
const { each } = loopGuard;

async function receive(db: Db, tenant: TestTenant, count = 1): Promise<void> {
  const account = inboundAccountOf(tenant);
  await storeInbound(
    db,
    Array.from({ length: count }, () => inboundText(account, { from: echo })),
  );
}

/** Sends in one batch; the ids. */
async function send(db: Db, tenant: TestTenant, ...to: string[]): Promise<string[]> {
  const { results } = await acceptMessages(
    db,
    to.map((one) => textItem(tenant, { to: one })),
    rules,
  );
  return results.flatMap((result) => ('message' in result ? [result.message.id] : []));
}

/** How long each of the messages has to wait from now, in s, to the nearest 10: the test itself takes time, too. */
async function waits(db: Db, ids: readonly string[]): Promise<number[]> {
  const { rows } = await sql<{ wait: number }>`
    select greatest(0, round(extract(epoch from due_at - now()) / 10) * 10)::int as wait from dispatch_due
    where message_id = any (${[...ids]}::uuid[]) order by message_id`.execute(db);
  return rows.map((row) => row.wait);
}

/** Two programs answer each other, as often as is still allowed. */
async function talk(db: Db, tenant: TestTenant, rounds: number = each): Promise<number[]> {
  const seen: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await receive(db, tenant);
    seen.push(...(await waits(db, await send(db, tenant, echo))));
  }
  return seen;
}

/** Moves every time of the guard back, as if it had passed. */
async function pass(db: Db, ms: number): Promise<void> {
  await sql`
    update conversations set burst_began_at = burst_began_at - make_interval(secs => ${ms / 1_000}),
      slow_until = slow_until - make_interval(secs => ${ms / 1_000}),
      next_send_at = next_send_at - make_interval(secs => ${ms / 1_000})`.execute(db);
}

test('a conversation of 20 messages each way within a minute is slowed to one send every 30 s', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  expect(await talk(test.db, tenant)).toEqual(Array(each).fill(0));
  expect(await talk(test.db, tenant, 4)).toEqual([0, 30, 60, 90]);
  await pass(test.db, 100_000);
  expect(await talk(test.db, tenant, 3)).toEqual([20, 50, 80]);
});

test('nobody else is slowed, and the claim takes what is due', async () => {
  await using test = await testDatabase();
  const [tenant, other] = [await makeTenant(test.db), await makeTenant(test.db)];
  await talk(test.db, tenant);
  await receive(test.db, other);
  const batch = await send(test.db, tenant, echo, '+15550002000', echo, '+15550003000', echo);
  expect(await waits(test.db, batch)).toEqual([0, 0, 30, 0, 60]);
  expect(await waits(test.db, await send(test.db, other, echo))).toEqual([0]);
  const claimed = await claim(test.db, tenant, { limit: 100 });
  expect(claimed.map(({ messageId }) => messageId)).toEqual(
    expect.arrayContaining([batch[0], batch[1], batch[3]]),
  );
  expect(claimed).toHaveLength(each + 3);
});

test('it ends 10 minutes after the last such minute', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await talk(test.db, tenant);
  await pass(test.db, loopGuard.slowForMs - 30_000);
  expect(await talk(test.db, tenant, 2)).toEqual([0, 30]);
  await pass(test.db, 30_000);
  expect(await talk(test.db, tenant, each - 2)).toEqual(Array(each - 2).fill(0));
  const { rows } = await sql<{ slowed: boolean }>`
    select slow_until > now() as slowed from conversations`.execute(test.db);
  expect(rows).toEqual([{ slowed: true }]);
});

test.each([
  ['many messages from one side', 5 * each, 1],
  ['many messages to one side', 1, 5 * each],
  ['a lively conversation', each - 1, 5 * each],
])('%s is no loop', async (_what, received, sent) => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await receive(test.db, tenant, received);
  expect(await waits(test.db, await send(test.db, tenant, ...Array(sent).fill(echo)))).toEqual(
    Array(sent).fill(0),
  );
  expect(await waits(test.db, await send(test.db, tenant, echo, echo))).toEqual([0, 0]);
});

test('the same messages over a longer time are no loop', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  for (let round = 0; round < 4 * each; round += 1) {
    expect(await talk(test.db, tenant, 1)).toEqual([0]);
    await pass(test.db, loopGuard.windowMs / (each - 1));
  }
});

test('a message that fails at once takes no turn', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await talk(test.db, tenant);
  const bad = { to: echo, bulk: true, preFailed: { errorCode: 'invalid-recipient', text: 'no' } };
  await acceptMessages(test.db, [textItem(tenant, bad), textItem(tenant, { to: echo })], rules);
  expect(await waits(test.db, await send(test.db, tenant, echo))).toEqual([30]);
});

test('sends at once by several processes are spread out like any others', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await talk(test.db, tenant);
  const ids = (await Promise.all(Array.from({ length: 8 }, () => send(test.db, tenant, echo)))).flat();
  const spread = (await waits(test.db, ids)).toSorted((a, b) => a - b);
  expect(spread).toEqual([0, 30, 60, 90, 120, 150, 180, 210]);
});

test('the account shows how many contacts are slowed, and until when', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const shown = async () => (await findAccount(test.db, tenant.tenantId, tenant.accountId))?.loop_guard;
  await talk(test.db, tenant, each - 1);
  expect(await shown()).toBeNull();
  await talk(test.db, tenant, 1);
  expect(await shown()).toEqual({ contacts: 1, until: expect.any(String) });
  await pass(test.db, loopGuard.slowForMs);
  expect(await shown()).toBeNull();
});
