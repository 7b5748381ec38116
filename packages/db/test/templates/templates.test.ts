import { randomUUID } from 'node:crypto';
import type { Template } from '@notify/core';
import {
  addAccount,
  makeTenant,
  plainTemplate as template,
  testDatabase,
  type TestDatabase,
} from '@notify/testkit';
import { sql } from 'kysely';
import { deleteAccount } from '../../src/accounts/index.ts';
import {
  adoptAccounts,
  applyTemplateChanges,
  askForSync,
  claimSyncs,
  failSync,
  findTemplates,
  listTemplates,
  readSyncState,
  storeTemplates,
  type SyncClaim,
} from '../../src/templates/index.ts';
import { deleteTenant } from '../../src/tenants/index.ts';
import type { TenantShares } from '@notify/db/tenants';

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const minute = 60_000;
const first = { after: null, limit: 100 };

async function account() {
  const tenant = await makeTenant(database.db, { channel: 'whatsapp', provider: 'whatsapp-cloud' });
  await askForSync(database.db, tenant.accountId, minute);
  return tenant;
}

async function claim(limit = 1): Promise<SyncClaim[]> {
  return claimSyncs(database.db, 'whatsapp-cloud', randomUUID(), { limit, leaseMs: minute });
}

/** Lets this much time pass for the rows of synchronisations. */
async function pass(interval: string): Promise<void> {
  const by = sql`${interval}::interval`;
  await sql`update account_template_syncs set due_at = due_at - ${by}, asked_at = asked_at - ${by},
    claimed_at = claimed_at - ${by}, claimed_until = claimed_until - ${by}, synced_at = synced_at - ${by}`.execute(
    database.db,
  );
}

function names(templates: readonly Template[]): string[] {
  return templates.map(({ name, language }) => `${name} ${language}`);
}

test('however many workers ask, one of them claims an account, until its lease ends', async () => {
  const { accountId } = await account();
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim()));
  expect(claims.flat()).toMatchObject([{ accountId }]);
  expect(await claim()).toEqual([]);
  await pass('61 seconds');
  expect(await claim()).toMatchObject([{ accountId }]);
});

describe('tenants in turn', () => {
  const next = async (limit: number, shares: TenantShares): Promise<string[]> => {
    const limits = { limit, leaseMs: minute };
    const claims = await claimSyncs(database.db, 'whatsapp-cloud', randomUUID(), limits, shares);
    return claims.map(({ tenantId }) => tenantId);
  };

  /** A tenant with four accounts that are due for an hour, and two with one that is due now. */
  async function tenants(): Promise<{ busy: string; quiet: string; other: string }> {
    const busy = await account();
    for (let count = 0; count < 3; count += 1)
      await askForSync(database.db, await addAccount(database.db, busy), minute);
    await pass('1 hour');
    const [quiet, other] = [await account(), await account()];
    return { busy: busy.tenantId, quiet: quiet.tenantId, other: other.tenantId };
  }

  test('one claim takes an account of each before a second one of any', async () => {
    const { busy, quiet, other } = await tenants();
    expect((await next(3, { tenants: [], perTenant: 4 })).toSorted()).toEqual(
      [busy, quiet, other].toSorted(),
    );
    expect(await next(9, { tenants: [], perTenant: 4 })).toEqual([busy, busy, busy]);
  });

  test('those that hold less go first, then those that were served less recently', async () => {
    const { busy, quiet, other } = await tenants();
    const shares = [
      { tenantId: busy, held: 1, servedAt: 1 },
      { tenantId: quiet, held: 0, servedAt: 3 },
      { tenantId: other, held: 0, servedAt: 2 },
    ];
    const inTurn = [];
    for (let count = 0; count < 3; count += 1)
      inTurn.push(...(await next(1, { tenants: shares, perTenant: 4 })));
    expect(inTurn).toEqual([other, quiet, busy]);
  });

  test('none gets more than one may have', async () => {
    const { busy } = await tenants();
    const shares = { tenants: [{ tenantId: busy, held: 2, servedAt: 1 }], perTenant: 3 };
    expect((await next(9, shares)).filter((tenantId) => tenantId === busy)).toEqual([busy]);
  });
});

test('an account is due again 15 minutes after it was synchronised, or after that failed', async () => {
  await account();
  for (const end of [
    (one: SyncClaim) => storeTemplates(database.db, one, []),
    (one: SyncClaim) => failSync(database.db, one, 'away'),
  ]) {
    const [one] = await claim();
    await end(one!);
    await pass('14 minutes 50 seconds');
    expect(await claim()).toEqual([]);
    await pass('20 seconds');
  }
  expect(await claim()).toHaveLength(1);
});

test('asking again and again causes one synchronisation a minute, also while one runs', async () => {
  const { accountId } = await account();
  const [running] = await claim();
  await Promise.all(Array.from({ length: 5 }, () => askForSync(database.db, accountId, minute)));
  await storeTemplates(database.db, running!, []);
  expect(await claim()).toEqual([]);
  expect(await readSyncState(database.db, accountId)).toMatchObject({ pending: true });
  await pass('61 seconds');
  const [next] = await claim();
  await storeTemplates(database.db, next!, []);
  expect(await readSyncState(database.db, accountId)).toMatchObject({ pending: false });
  await pass('61 seconds');
  expect(await claim()).toEqual([]);
});

test('a list replaces what was stored; a failure keeps it and is told', async () => {
  const { accountId } = await account();
  await storeTemplates(database.db, (await claim())[0]!, [
    template('a'),
    template('b'),
    template('b', { language: 'de' }),
  ]);
  await askForSync(database.db, accountId, 0);
  const changed = template('b', { status: 'paused', reason: 'low quality', footer: 'Bye' });
  await storeTemplates(database.db, (await claim())[0]!, [template('c'), changed]);
  expect(await listTemplates(database.db, accountId, first)).toEqual([changed, template('c')]);
  const { syncedAt } = (await readSyncState(database.db, accountId))!;
  await askForSync(database.db, accountId, 0);
  await failSync(database.db, (await claim())[0]!, 'The token has expired.');
  expect(names(await listTemplates(database.db, accountId, first))).toEqual(['b en', 'c en']);
  expect(await readSyncState(database.db, accountId)).toMatchObject({
    syncedAt,
    failedAt: expect.any(Date),
    failure: 'The token has expired.',
  });
  await askForSync(database.db, accountId, 0);
  await storeTemplates(database.db, (await claim())[0]!, [changed]);
  expect(await readSyncState(database.db, accountId)).toMatchObject({ failedAt: null, failure: null });
});

test('thousands of templates are stored and read in pages', async () => {
  const { accountId } = await account();
  const many = Array.from({ length: 6_000 }, (_, index) => template(`t_${String(index).padStart(4, '0')}`));
  await storeTemplates(database.db, (await claim())[0]!, many);
  const page = await listTemplates(database.db, accountId, { after: template('t_2999'), limit: 3 });
  expect(names(page)).toEqual(['t_3000 en', 't_3001 en', 't_3002 en']);
  expect(await listTemplates(database.db, accountId, { after: null, limit: 10_000 })).toEqual(many);
});

test('an unchanged list is not written again, unless a callback has changed a template since', async () => {
  const { accountId } = await account();
  const versions = async () =>
    (
      await sql`select xmin::text, status from account_templates where account_id = ${accountId}`.execute(
        database.db,
      )
    ).rows;
  await storeTemplates(database.db, (await claim())[0]!, [template('a')]);
  const before = await versions();
  await askForSync(database.db, accountId, 0);
  await storeTemplates(database.db, (await claim())[0]!, [template('a')]);
  expect(await versions()).toEqual(before);
  await applyTemplateChanges(database.db, accountId, [{ ...template('a'), status: 'paused' }]);
  await askForSync(database.db, accountId, 0);
  await storeTemplates(database.db, (await claim())[0]!, [template('a')]);
  expect(await versions()).toMatchObject([{ status: 'approved' }]);
});

test('a callback changes the status, and outlives a list that was read before it', async () => {
  const { accountId } = await account();
  await storeTemplates(database.db, (await claim())[0]!, [template('a'), template('b')]);
  await askForSync(database.db, accountId, 0);
  const [reading] = await claim();
  const paused = { name: 'a', language: 'en', status: 'paused', reason: 'low quality' } as const;
  const changes = [{ ...paused, status: 'disabled' as const }, paused];
  expect(await applyTemplateChanges(database.db, accountId, changes)).toBe(true);
  await storeTemplates(database.db, reading!, [template('a'), template('b', { status: 'rejected' })]);
  const stored = await listTemplates(database.db, accountId, first);
  expect(stored).toMatchObject([paused, { name: 'b', status: 'rejected' }]);
  // The provider may have taken the change back. The next list counts, though it is the same.
  await askForSync(database.db, accountId, 0);
  await storeTemplates(database.db, (await claim())[0]!, [
    template('a'),
    template('b', { status: 'rejected' }),
  ]);
  expect(await listTemplates(database.db, accountId, first)).toMatchObject([{ status: 'approved' }, {}]);
  const unknown = { ...paused, language: 'de' };
  expect(await applyTemplateChanges(database.db, accountId, [paused, unknown])).toBe(false);
});

test('a claim that another worker has taken over stores nothing', async () => {
  const { accountId } = await account();
  const [slow] = await claim();
  await pass('2 minutes');
  const [quick] = await claim();
  expect(await storeTemplates(database.db, slow!, [template('old')])).toBe(false);
  await failSync(database.db, slow!, 'late');
  expect(await storeTemplates(database.db, quick!, [template('new')])).toBe(true);
  expect(names(await listTemplates(database.db, accountId, first))).toEqual(['new en']);
  expect(await readSyncState(database.db, accountId)).toMatchObject({ failure: null });
});

test('the templates of a removed account and of a deleted tenant are gone, and stay gone', async () => {
  const removed = await account();
  const deleted = await account();
  const claims = await claim(2);
  for (const one of claims) await storeTemplates(database.db, one, [template('a')]);
  await askForSync(database.db, removed.accountId, 0);
  const [late] = await claim();
  await deleteAccount(database.db, removed.tenantId, removed.accountId);
  await deleteTenant(database.db, deleted.tenantId);
  expect(await storeTemplates(database.db, late!, [template('b')])).toBe(false);
  await askForSync(database.db, removed.accountId, 0);
  expect(await adoptAccounts(database.db, ['whatsapp-cloud'], 10)).toBe(0);
  const { rows } = await sql`select account_id from account_templates
    union all select account_id from account_template_syncs`.execute(database.db);
  expect(rows).toEqual([]);
});

test('accounts of an older version are adopted, and its removed ones hold up nobody', async () => {
  const { db } = database;
  const removed = await makeTenant(db, { channel: 'whatsapp', provider: 'whatsapp-cloud' });
  await makeTenant(db, { provider: 'twilio' });
  expect(await adoptAccounts(db, ['whatsapp-cloud'], 10)).toBe(1);
  expect(await adoptAccounts(db, ['whatsapp-cloud'], 10)).toBe(0);
  await db
    .updateTable('channel_accounts')
    .set({ deleted_at: new Date() })
    .where('id', '=', removed.accountId)
    .execute();
  const kept = await account();
  expect(await claim()).toEqual([]);
  expect(await claim()).toMatchObject([{ accountId: kept.accountId }]);
});

test('a look-up finds the account as a send does, and all languages of a name', async () => {
  const { db } = database;
  const tenant = await account();
  const other = await account();
  for (const one of await claim(2))
    await storeTemplates(db, one, [template('a'), template('a', { language: 'de' }), template('b')]);
  const ask = { tenantId: tenant.tenantId, channel: 'whatsapp', accountId: null, name: 'a' } as const;
  const found = { accountId: tenant.accountId, provider: 'whatsapp-cloud', isFresh: true };
  expect(
    await findTemplates(db, [
      { ...ask, accountId: tenant.accountId },
      ask,
      { ...ask, name: 'none' },
      { ...ask, accountId: other.accountId },
      { ...ask, channel: 'sms' },
    ]),
  ).toEqual([
    { ...found, templates: [template('a', { language: 'de' }), template('a')] },
    { ...found, templates: [template('a', { language: 'de' }), template('a')] },
    { ...found, templates: [] },
    null,
    null,
  ]);
  await pass('61 minutes');
  expect(await findTemplates(db, [ask])).toMatchObject([{ isFresh: false, templates: [{}, {}] }]);
});
