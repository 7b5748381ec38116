import type { Db } from '@notify/db/connection';
import { nextDue, overdueAccounts, releaseMessages, giveRecipientTimes } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { makeTenant, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { claim as claimAs } from '../dispatching.ts';

async function send(db: Db, tenant: TestTenant, count: number, to = '+15550001000'): Promise<void> {
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  await acceptMessages(
    db,
    Array.from({ length: count }, () => textItem(tenant, { to })),
    rules,
  );
}

const claim = (db: Db, tenant: TestTenant, limit = 100) => claimAs(db, tenant, { limit });

async function setPace(db: Db, perSecond: number): Promise<void> {
  await sql`update channel_accounts set per_second = ${perSecond}`.execute(db);
}

/** Lets time pass for the account, as far as its pace is concerned. */
async function pass(db: Db, seconds: number): Promise<void> {
  await sql`update channel_accounts set paced_until = paced_until - make_interval(secs => ${seconds}::float8)`.execute(
    db,
  );
}

test('an account never takes more than its burst at once, and its pace over time', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await setPace(test.db, 0.001);
  await send(test.db, tenant, 5);
  expect(await claim(test.db, tenant)).toHaveLength(1);
  expect(await claim(test.db, tenant)).toHaveLength(0);
  await pass(test.db, 990);
  expect(await claim(test.db, tenant)).toHaveLength(0);
  await pass(test.db, 20);
  expect(await claim(test.db, tenant)).toHaveLength(1);
});

test('a fast account may send a tenth of a second at once, however long it was idle', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await setPace(test.db, 50);
  await send(test.db, tenant, 100);
  expect(await claim(test.db, tenant)).toHaveLength(5);
  await pass(test.db, 3_600);
  expect(await claim(test.db, tenant)).toHaveLength(5);
});

test('claims that race share one pace', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await setPace(test.db, 0.001);
  await send(test.db, tenant, 20);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(test.db, tenant, 3)));
  expect(claims.flat()).toHaveLength(1);
});

test('until the next message may go, nobody is woken for the account', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await setPace(test.db, 0.01);
  await send(test.db, tenant, 3);
  await claim(test.db, tenant);
  expect(await overdueAccounts(test.db, 0)).toEqual([]);
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  expect((await acceptMessages(test.db, [textItem(tenant)], rules)).accounts).toEqual([]);
  const [next] = await nextDue(test.db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(90_000);
  expect(next!.delayMs).toBeLessThanOrEqual(100_000);
});

test('messages to one recipient go one interval apart, each with its attempt unburnt while it waits', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 3, '+15550001000');
  await send(test.db, tenant, 1, '+15550002000');
  const allowed = await giveRecipientTimes(test.db, await claim(test.db, tenant), 60_000);
  expect(allowed.map((claimed) => claimed.to).sort()).toEqual(['+15550001000', '+15550002000']);
  await send(test.db, tenant, 1, '+15550001000');
  expect(await giveRecipientTimes(test.db, await claim(test.db, tenant), 60_000)).toEqual([]);
  const { rows } = await sql<{ wait: number; attempts: number }>`
    select round(extract(epoch from due_at - now()) / 60)::int as wait, attempts from dispatch_due
    where has_slot order by due_at`.execute(test.db);
  expect(rows).toEqual([1, 2, 3].map((wait) => ({ wait, attempts: 0 })));
  await sql`update dispatch_due set due_at = now() where has_slot`.execute(test.db);
  expect(await giveRecipientTimes(test.db, await claim(test.db, tenant), 60_000)).toHaveLength(3);
});

test('an account that was told to rest is left alone, paced or not', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 1);
  await releaseMessages(test.db, await claim(test.db, tenant), 60_000);
  expect(await claim(test.db, tenant)).toEqual([]);
  await setPace(test.db, 50);
  expect(await claim(test.db, tenant)).toEqual([]);
});
