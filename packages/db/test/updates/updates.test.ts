import { randomUUID } from 'node:crypto';
import {
  adoptSources,
  makeSourceDue,
  claimSources,
  forgetSource,
  tenantsOfDueSources,
  releaseSource,
  renewClaim,
  storeUpdates,
  type UpdateClaim,
} from '@notify/db/updates';
import { makeTenant, testDatabase, type TestDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';

let database: TestDatabase;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  tenant = await makeTenant(database.db, { channel: 'telegram', provider: 'telegram-bot' });
  await makeSourceDue(database.db, tenant.accountId);
});
afterEach(() => database[Symbol.asyncDispose]());

async function claim(leaseMs = 60_000): Promise<UpdateClaim | undefined> {
  const claims = await claimSources(database.db, 'telegram-bot', randomUUID(), { limit: 9, leaseMs });
  return claims[0];
}

const text = (externalId: string) => ({
  account: {
    id: tenant.accountId,
    tenantId: tenant.tenantId,
    channel: 'telegram' as const,
    keywords: { stop: [], start: [] },
  },
  message: {
    externalId,
    from: '1000',
    to: null,
    sentAt: null,
    type: 'text' as const,
    body: { text: externalId },
    contact: null,
    replyTo: null,
    file: null,
  },
});

const batch = (next: string | null, ...ids: string[]) => ({
  inbound: ids.map(text),
  moved: [],
  consents: [],
  next,
});

const stored = async (): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select external_id as id from messages order by id`.execute(
    database.db,
  );
  return rows.map(({ id }) => id);
};

const row = () => database.db.selectFrom('update_sources').selectAll().executeTakeFirst();
const lapse = () =>
  sql`update update_sources set leased_until = now() - interval '1 s', due_at = now()`.execute(database.db);

test('a claim keeps others away until its lease ends, and its holder then stores nothing', async () => {
  const first = (await claim())!;
  expect(first).toMatchObject({ accountId: tenant.accountId, next: null, mode: null, isRemoved: false });
  expect(await claim()).toBeUndefined();
  expect((await storeUpdates(database.db, first, batch('8', '1000:1')))?.results).toHaveLength(1);
  await lapse();
  expect(await storeUpdates(database.db, first, batch('9', '1000:2'))).toBeNull();
  const second = (await claim())!;
  expect(second.next).toBe('8');
  expect(await storeUpdates(database.db, first, batch('9', '1000:2'))).toBeNull();
  expect(await renewClaim(database.db, first, 60_000)).toBe(false);
  await releaseSource(database.db, first, { mode: 'off', url: null, detail: 'late', afterMs: 0 });
  expect(await stored()).toEqual(['1000:1']);
  expect(await row()).toMatchObject({ holder: second.holder, mode: null, detail: null });
});

test('the messages and the number behind them are committed together', async () => {
  const held = (await claim())!;
  const broken = { ...text('1000:2'), message: { ...text('1000:2').message, file: { id: 1n } } };
  const together = { ...batch('9', '1000:1'), inbound: [text('1000:1'), broken] };
  await expect(storeUpdates(database.db, held, together)).rejects.toThrow(/BigInt/);
  expect([await stored(), (await row())!.next_update]).toEqual([[], null]);
});

test('of two readers of the same updates one stores them', async () => {
  const first = (await claim())!;
  await storeUpdates(database.db, first, batch('9', '1000:1', '1000:2'));
  await lapse();
  const second = (await claim())!;
  const again = await storeUpdates(database.db, second, batch('9', '1000:1', '1000:2', '1000:3'));
  expect(again?.results.map(({ kind }) => kind)).toEqual(['repeated', 'repeated', 'stored']);
});

test('a claim that is renewed goes on, unless the account changes', async () => {
  const held = (await claim(500))!;
  expect(await renewClaim(database.db, held, 60_000)).toBe(true);
  expect(Number((await row())!.leased_until)).toBeGreaterThan(Date.now() + 30_000);
  await database.db.updateTable('channel_accounts').set({ settings: 'new' }).execute();
  expect(await renewClaim(database.db, held, 60_000)).toBe(false);
});

test('asking for a new look ends the claim and forgets the number', async () => {
  const held = (await claim())!;
  await storeUpdates(database.db, held, batch('9', '1000:1'));
  await makeSourceDue(database.db, tenant.accountId);
  expect(await storeUpdates(database.db, held, batch('10', '1000:2'))).toBeNull();
  expect(await claim()).toMatchObject({ next: null });
});

test('a released account is due when its holder says', async () => {
  const held = (await claim())!;
  await releaseSource(database.db, held, { mode: 'webhook', url: 'https://a', detail: 'x', afterMs: 60_000 });
  expect([await claim(), (await tenantsOfDueSources(database.db, 'telegram-bot')).size]).toEqual([
    undefined,
    0,
  ]);
  await releaseSource(database.db, held, { mode: 'off', url: null, detail: null, afterMs: 0 });
  expect(await row()).toMatchObject({ mode: 'webhook', url: 'https://a', detail: 'x' });
});

test('a removed account is looked at once more, and forgotten', async () => {
  await database.db
    .updateTable('channel_accounts')
    .set({ deleted_at: sql`now()` })
    .execute();
  await makeSourceDue(database.db, tenant.accountId);
  const held = (await claim())!;
  expect(held.isRemoved).toBe(true);
  expect(await renewClaim(database.db, held, 60_000)).toBe(true);
  await forgetSource(database.db, held);
  await makeSourceDue(database.db, tenant.accountId);
  expect([await row(), await adoptSources(database.db, ['telegram-bot'], 9)]).toEqual([undefined, 0]);
});

test('accounts without a row are adopted', async () => {
  await database.db.deleteFrom('update_sources').execute();
  expect(await adoptSources(database.db, ['twilio'], 9)).toBe(0);
  expect(await adoptSources(database.db, ['telegram-bot'], 9)).toBe(1);
  expect(await adoptSources(database.db, ['telegram-bot'], 9)).toBe(0);
});
