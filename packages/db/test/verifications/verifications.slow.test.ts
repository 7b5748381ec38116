import { afterCheck, type CheckState, mostTries } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { findSealedCode, endExpired, findVerification } from '@notify/db/verifications';
import {
  makeTenant,
  openTestDb,
  type TestDatabase,
  testDatabase,
  type TestTenant,
  until,
} from '@notify/testkit';
import { sql } from 'kysely';
import { claim, due, message } from '../dispatching.ts';
import { check, pass, preparedCheck, rightCode, row, start, started, wrongCode } from './verifying.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

async function messageOf(id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select m.id from messages m join verifications v on v.group_id = m.group_id where v.id = ${id}`.execute(
    db,
  );
  return rows[0]!.id;
}

test('a start stores the message, the sealed code and its hash, and the right code approves it once', async () => {
  const id = await started(db, tenant);
  expect(await row(db, id)).toMatchObject({
    status: 'pending',
    tries: 0,
    prefix: '+1',
    sealed_code: `sealed ${id}`,
  });
  expect(await claim(db, tenant)).toHaveLength(1);
  expect(await findSealedCode(db, await messageOf(id))).toEqual({
    verificationId: id,
    tenantId: tenant.tenantId,
    sealed: `sealed ${id}`,
  });
  expect(await check(db, tenant, id, wrongCode)).toBe('pending');
  expect(await check(db, tenant, id, rightCode)).toBe('approved');
  expect(await check(db, tenant, id, rightCode)).toBe('ended');
  expect(await row(db, id)).toMatchObject({
    status: 'approved',
    tries: 2,
    sealed_code: null,
    code_hash: null,
    code_salt: null,
  });
});

test('of 1,000 wrong checks at once exactly five count, over several connections', async () => {
  await using other = openTestDb(database.url, {
    maxConnections: 20,
    onIdleError: () => undefined,
  });
  const id = await started(db, tenant);
  const checkNow = await preparedCheck(db, tenant, id, wrongCode);
  const checks = Array.from({ length: 1_000 }, (_, index) => checkNow(index % 2 ? other : db));
  const found = Map.groupBy(await Promise.all(checks), (status) => status);
  const counts = Object.fromEntries([...found].map(([status, all]) => [status, all.length]));
  expect(counts).toEqual({ ended: 995, failed: 1, pending: 4 });
  expect(await row(db, id)).toMatchObject({ status: 'failed', tries: 5, sealed_code: null, code_hash: null });
  const { rows } = await sql`select checked, checks, approved, failed from verification_counts`.execute(db);
  expect(rows).toEqual([{ checked: 1, checks: 5, approved: 0, failed: 1 }]);
});

test('of 100 right checks at once one approves', async () => {
  const id = await started(db, tenant);
  const checkNow = await preparedCheck(db, tenant, id, rightCode);
  const all = await Promise.all(Array.from({ length: 100 }, () => checkNow(db)));
  expect(all.filter((status) => status === 'approved')).toHaveLength(1);
  expect(all.filter((status) => status === 'ended')).toHaveLength(99);
});

test('of 30 starts at once for one recipient one sends', async () => {
  const results = await Promise.all(Array.from({ length: 30 }, () => start(db, tenant)));
  expect(results.filter(({ kind }) => kind === 'started')).toHaveLength(1);
  const ids = results.map((result) => ('verification' in result ? result.verification.id : result.kind));
  expect(new Set(ids).size).toBe(1);
  expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(1);
});

test('within 30 seconds a start answers with the pending one; later it cancels that one and its message', async () => {
  const first = await started(db, tenant);
  expect(await start(db, tenant)).toMatchObject({ kind: 'repeated', verification: { id: first } });
  const firstMessage = await messageOf(first);
  await pass(db, 31);
  const second = await started(db, tenant);
  expect(second).not.toBe(first);
  expect(await row(db, first)).toMatchObject({ status: 'canceled', sealed_code: null, code_hash: null });
  expect(await message(db, firstMessage)).toMatchObject({ status: 'failed', error_code: 'canceled' });
  expect(await due(db, firstMessage)).toBeUndefined();
  expect(await check(db, tenant, first, rightCode)).toBe('ended');
  expect(await check(db, tenant, second, rightCode)).toBe('approved');
});

test('an approved one does not answer a start', async () => {
  const first = await started(db, tenant);
  await check(db, tenant, first, rightCode);
  expect(await started(db, tenant)).not.toBe(first);
});

test('a recipient gets five codes in ten minutes, and again when the first is ten minutes old', async () => {
  for (let round = 0; round < 5; round += 1) {
    await started(db, tenant);
    await pass(db, 31);
  }
  const refused = await start(db, tenant);
  expect(refused).toMatchObject({ kind: 'limited', by: 'recipient' });
  const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
  expect(retryAfterSeconds).toBeGreaterThan(600 - 5 * 31 - 10);
  expect(retryAfterSeconds).toBeLessThanOrEqual(600 - 5 * 31);
  await started(db, tenant, { shownRecipient: '+15550001001', recipient: '+15550001001' });
  await pass(db, retryAfterSeconds + 1);
  await started(db, tenant);
});

test('a prefix has its starts per hour, also when they come at once', async () => {
  const to = (index: number) => `+1555000${2000 + index}`;
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      start(db, tenant, { shownRecipient: to(index), recipient: to(index) }, 7),
    ),
  );
  expect(results.filter(({ kind }) => kind === 'started')).toHaveLength(7);
  expect(results.filter((one) => one.kind === 'limited' && one.by === 'prefix')).toHaveLength(23);
  expect(await db.selectFrom('messages').select('id').execute()).toHaveLength(7);
  const elsewhere = { shownRecipient: '+4915550001000', recipient: '+4915550001000', prefix: '+49' };
  expect((await start(db, tenant, elsewhere, 7)).kind).toBe('started');
});

test('an idempotency key answers with its verification, whatever became of it; another request with it is refused', async () => {
  const requestKey = { key: 'sign-in-1', requestHash: 'aa'.repeat(32) };
  const id = await started(db, tenant, { requestKey });
  await check(db, tenant, id, rightCode);
  await pass(db, 40);
  expect(await start(db, tenant, { requestKey })).toMatchObject({ kind: 'repeated', verification: { id } });
  const other = { key: 'sign-in-1', requestHash: 'bb'.repeat(32) };
  expect(await start(db, tenant, { requestKey: other })).toMatchObject({ code: 'idempotency-key-reused' });
  const elsewhere = { recipient: '+15550001009', shownRecipient: '+15550001009' };
  const races = await Promise.all(
    [0, 1, 2, 3].map((index) =>
      start(db, tenant, {
        ...elsewhere,
        recipient: `+1555000900${index}`,
        requestKey: { key: 'k', requestHash: `0${index}`.repeat(32) },
      }),
    ),
  );
  expect(races.map(({ kind }) => kind).sort()).toEqual(['refused', 'refused', 'refused', 'started']);
});

test('one that expired is so at once; the sweep removes its code', async () => {
  const id = await started(db, tenant);
  const messageId = await messageOf(id);
  await pass(db, 601);
  const ref = { tenantId: tenant.tenantId, keyId: tenant.keyId, id, keyAccountIds: null };
  expect((await findVerification(db, ref))?.status).toBe('expired');
  expect(await check(db, tenant, id, rightCode)).toBe('ended');
  expect((await findSealedCode(db, messageId))?.sealed).toBeNull();
  expect(await endExpired(db, 10)).toBe(1);
  expect(await row(db, id)).toMatchObject({
    status: 'expired',
    sealed_code: null,
    code_hash: null,
    code_salt: null,
  });
  expect((await findVerification(db, ref))?.endedAt).toEqual((await row(db, id)).expires_at);
});

test('the sealed code goes as soon as the group has ended, and the code still checks', async () => {
  const id = await started(db, tenant);
  await sql`update message_groups set status = 'delivered', ended_at = now()`.execute(db);
  expect(await endExpired(db, 10)).toBe(1);
  expect((await row(db, id)).sealed_code).toBeNull();
  expect(await check(db, tenant, id, rightCode)).toBe('approved');
});

test('another tenant, and a key for other accounts, has no such verification', async () => {
  const id = await started(db, tenant);
  const stranger = await makeTenant(db);
  expect(await check(db, stranger, id, rightCode)).toBe('ended');
  const ref = { id, tenantId: stranger.tenantId, keyId: stranger.keyId, keyAccountIds: null };
  expect(await findVerification(db, ref)).toBeNull();
  const narrow = {
    id,
    tenantId: tenant.tenantId,
    keyId: tenant.keyId,
    keyAccountIds: [stranger.accountId],
  };
  expect(await findVerification(db, narrow)).toBeNull();
  expect(await findVerification(db, { ...narrow, keyAccountIds: [tenant.accountId] })).not.toBeNull();
  expect((await row(db, id)).tries).toBe(0);
});

test('random histories of checks: the statement does what the rule says', async () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let history = 0; history < 60; history += 1) {
    const to = `+1555111${1000 + history}`;
    const id = await started(db, tenant, { recipient: to, shownRecipient: to });
    let state: CheckState = { status: 'pending', tries: 0 };
    for (let step = 0; step < 9; step += 1) {
      const isRight = random(6) === 0;
      const next = afterCheck(state, isRight);
      expect(await check(db, tenant, id, isRight ? rightCode : wrongCode)).toBe(next?.status ?? 'ended');
      state = next ?? state;
      const { status, tries, code_hash: hash } = await row(db, id);
      expect({ status, tries }).toEqual(state);
      expect(hash === null).toBe(state.status !== 'pending');
      expect(tries).toBeLessThanOrEqual(mostTries);
    }
  }
});

test('starts whose connection dies give it back', async () => {
  await using other = openTestDb(database.url, {
    maxConnections: 2,
    onIdleError: () => undefined,
  });
  const to = '+15550001000';
  const name = `verification ${tenant.tenantId} ${to}`;
  for (let round = 0; round < 4; round += 1)
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
      const dying = start(other, tenant, { shownRecipient: to, recipient: to });
      dying.catch(() => undefined);
      await until(async () => {
        const { rows } = await sql`
          select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db);
        return rows.length > 0;
      });
      await expect(dying).rejects.toThrow(/terminat/);
    });
  expect(await start(other, tenant)).toMatchObject({ kind: 'started' });
});
