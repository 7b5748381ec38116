import { holdHours } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { readCounts, readLimits, replaceLimits } from '@notify/db/verifications';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { check, pass, rightCode, start, started, wrongCode } from './verifying.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

let numbers = 0;
function anyone(prefix = '+49') {
  const to = `${prefix}151${String(10_000_000 + (numbers += 1))}`;
  return { recipient: to, shownRecipient: to, prefix };
}

/** Starts so many, of which the first `approved` are approved and the next `wrong` get a wrong code, and lets them ripen. */
async function traffic(starts: number, approved: number, changes: object = {}, wrong = 0): Promise<void> {
  for (let index = 0; index < starts; index += 1) {
    const id = await started(db, tenant, { ...anyone(), ...changes });
    if (index < approved) await check(db, tenant, id, rightCode);
    else if (index < approved + wrong) await check(db, tenant, id, wrongCode);
  }
  await pass(db, 121);
}

test('a prefix whose codes nobody enters is held, and the tenant is told once', async () => {
  const webhookId = await makeWebhook(db, tenant.tenantId, { events: ['verification.held'] });
  await traffic(30, 2, {}, 3);
  const races = await Promise.all(Array.from({ length: 8 }, () => start(db, tenant, anyone())));
  expect(races.every(({ kind }) => kind === 'held')).toBe(true);
  expect(races.filter((one) => one.kind === 'held' && one.isNew)).toMatchObject([
    { retryAfterSeconds: 3_600, webhooks: [{ id: webhookId, lane: 'fast' }] },
  ]);
  const events = await db.selectFrom('events').selectAll().where('event', '=', 'verification.held').execute();
  expect(events.map(({ body }) => JSON.parse(body) as object)).toEqual([
    {
      event: 'verification.held',
      messageId: null,
      id: `evt_${events[0]!.id}`,
      tenantId: `ten_${tenant.tenantId}`,
      channelAccountId: null,
      provider: null,
      prefix: '+49',
      starts: 30,
      checked: 5,
      approved: 2,
      heldUntil: (await readLimits(db, tenant.tenantId)).prefixes[0]!.heldUntil!.toISOString(),
      occurredAt: events[0]!.occurred_at.toISOString(),
      sequence: null,
    },
  ]);
  expect((await start(db, tenant, anyone('+44'))).kind).toBe('started');
  expect((await start(db, await makeTenant(db), anyone())).kind).toBe('started');
});

test.each([
  ['one in ten is entered', 30, 3, {}],
  ['there are few', 29, 0, {}],
  ['they are of the sandbox', 40, 0, { sandbox: true }],
])('a prefix is not held if %s', async (_why, starts, checked, changes) => {
  await traffic(starts, checked, changes);
  expect((await start(db, tenant, anyone())).kind).toBe('started');
});

test('wrong codes do not keep a prefix from being held, however many there are', async () => {
  await traffic(30, 0, {}, 30);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', isNew: true });
});

/** Asks for a code for each of so many people, and once more 31 s later. The ids of the later ones. */
async function askTwice(people: number): Promise<string[]> {
  const all = Array.from({ length: people }, () => anyone());
  for (const one of all) await started(db, tenant, one);
  await pass(db, 31);
  const ids = [];
  for (const one of all) ids.push(await started(db, tenant, one));
  return ids;
}

test('what a newer start canceled counts', async () => {
  const later = await askTwice(20);
  for (const id of later.slice(0, 3)) await check(db, tenant, id, rightCode);
  await pass(db, 121);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', isNew: true });
  const { rows } = await sql<{
    body: string;
  }>`select body from events where event = 'verification.held'`.execute(db);
  expect(JSON.parse(rows[0]!.body)).toMatchObject({ starts: 40, checked: 3, approved: 3 });
});

test('people who ask twice and enter the second code do not have a prefix held', async () => {
  for (const id of (await askTwice(30)).slice(0, 20)) await check(db, tenant, id, rightCode);
  await pass(db, 121);
  expect((await start(db, tenant, anyone())).kind).toBe('started');
});

test('codes that were sent just now do not count, for nobody had time to enter them', async () => {
  for (let index = 0; index < 35; index += 1) await started(db, tenant, anyone());
  await pass(db, 100);
  expect((await start(db, tenant, anyone())).kind).toBe('started');
});

test('a hold ends by itself, what was before does not count again, and the next one lasts twice as long', async () => {
  await traffic(30, 0);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', isNew: true });
  await pass(db, 3_590);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', isNew: false });
  await pass(db, 11);
  await traffic(30, 0);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', retryAfterSeconds: 2 * 3_600 });
  expect([0, 1, 2, 3, 4, 5, 99].map(holdHours)).toEqual([1, 2, 4, 8, 16, 24, 24]);
});

test('a release ends the hold at once, and a prefix without guard is never held', async () => {
  await traffic(30, 0);
  await start(db, tenant, anyone());
  const rule = { prefix: '+49', startsPerHour: null, guarded: true, release: true };
  await replaceLimits(db, tenant.tenantId, null, [rule]);
  expect(await readLimits(db, tenant.tenantId)).toEqual({ startsPerHour: null, prefixes: [] });
  await traffic(30, 0);
  expect(await start(db, tenant, anyone())).toMatchObject({ kind: 'held', retryAfterSeconds: 3_600 });
  await replaceLimits(db, tenant.tenantId, null, [{ ...rule, guarded: false, release: false }]);
  await traffic(30, 0);
  expect((await start(db, tenant, anyone())).kind).toBe('started');
});

test('limits of a prefix go before the default, and 0 blocks it', async () => {
  const rule = { guarded: true, release: false };
  await replaceLimits(db, tenant.tenantId, 1, [
    { ...rule, prefix: '+49', startsPerHour: 2 },
    { ...rule, prefix: '+44', startsPerHour: 0 },
  ]);
  const kinds = async (prefix: string) => [
    (await start(db, tenant, anyone(prefix))).kind,
    (await start(db, tenant, anyone(prefix))).kind,
    (await start(db, tenant, anyone(prefix))).kind,
  ];
  expect(await kinds('+49')).toEqual(['started', 'started', 'limited']);
  expect(await kinds('+44')).toEqual(['limited', 'limited', 'limited']);
  expect(await kinds('+33')).toEqual(['started', 'limited', 'limited']);
  await replaceLimits(db, tenant.tenantId, null, []);
  expect((await start(db, tenant, anyone('+44'))).kind).toBe('started');
});

test('figures by prefix', async () => {
  const id = await started(db, tenant, anyone());
  await check(db, tenant, id, rightCode);
  await started(db, tenant, anyone());
  await started(db, tenant, { ...anyone('+44'), prefix: null });
  const day = 86_400_000;
  const figures = await readCounts(
    db,
    tenant.tenantId,
    new Date(Date.now() - day),
    new Date(Date.now() + day),
  );
  const none = { checked: 0, checks: 0, approved: 0, failed: 0, refused: 0, heldUntil: null };
  expect(figures).toEqual([
    { ...none, prefix: '+49', starts: 2, checked: 1, checks: 1, approved: 1 },
    { ...none, prefix: null, starts: 1 },
  ]);
});
