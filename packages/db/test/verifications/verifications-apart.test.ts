import type { Db } from '@notify/db/connection';
import type { NewVerification } from '@notify/db/verifications';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { check, pass, rightCode, row, start, started } from './verifying.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
let other: string;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
  other = await anotherAccount();
});
afterEach(() => database[Symbol.asyncDispose]());

async function anotherAccount(): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into channel_accounts (id, tenant_id, channel, provider, name, settings)
    values (uuidv7(), ${tenant.tenantId}::uuid, 'sms', 'sandbox', 'other', '{}') returning id`.execute(db);
  return rows[0]!.id;
}

type Starter = Partial<NewVerification>;

/** A start from this account. `keyAccountIds`: by a key for these alone. */
function from(accountId: string, keyAccountIds: readonly string[] | null = null): Starter {
  const route = {
    channel: 'sms',
    accountId,
    to: '+15550001000',
    type: 'text',
    body: { text: '••••••' },
  } as const;
  return { accountIds: [accountId], keyAccountIds, routes: [route] };
}

/** Pairs of starts for one person that have nothing to do with each other. */
const strangers: readonly [string, () => Starter, () => Starter][] = [
  ['a real one after the sandbox', () => ({ sandbox: true }), () => ({})],
  ['the sandbox after a real one', () => ({}), () => ({ sandbox: true })],
  [
    'a key for one account after that for another',
    () => from(tenant.accountId, [tenant.accountId]),
    () => from(other, [other]),
  ],
  ['a key for one account after that for all', () => from(tenant.accountId), () => from(other, [other])],
  [
    'a key for one account after that for two',
    () => ({ ...from(other, [tenant.accountId, other]), accountIds: [other, tenant.accountId] }),
    () => from(other, [other]),
  ],
];

test.each(strangers)(
  'within 30 seconds, %s starts one of its own, and both are approved',
  async (_what, former, latter) => {
    const first = await started(db, tenant, former());
    const second = await started(db, tenant, latter());
    expect(second).not.toBe(first);
    expect(await check(db, tenant, first, rightCode)).toBe('approved');
    expect(await check(db, tenant, second, rightCode)).toBe('approved');
  },
);

test.each(strangers)('later, %s cancels nothing of the other', async (_what, former, latter) => {
  const first = await started(db, tenant, former());
  await pass(db, 31);
  await started(db, tenant, latter());
  expect((await row(db, first)).status).toBe('pending');
  expect(await check(db, tenant, first, rightCode)).toBe('approved');
});

test.each(strangers)('%s has its own five starts in ten minutes', async (_what, former, latter) => {
  for (let round = 0; round < 5; round += 1) {
    await started(db, tenant, former());
    await pass(db, 31);
  }
  expect(await start(db, tenant, former())).toMatchObject({ kind: 'limited', by: 'recipient' });
  await started(db, tenant, latter());
});

test.each(strangers)('an idempotency key does not repeat: %s', async (_what, former, latter) => {
  const requestKey = { key: 'k', requestHash: 'aa'.repeat(32) };
  const first = await started(db, tenant, { ...former(), requestKey });
  expect(await start(db, tenant, { ...former(), requestKey })).toMatchObject({ verification: { id: first } });
  expect(await start(db, tenant, { ...latter(), requestKey })).toEqual({
    kind: 'refused',
    code: 'idempotency-key-reused',
    route: null,
  });
});

test('a key for all accounts repeats the newest it may use, and later cancels all of them', async () => {
  const first = await started(db, tenant, from(tenant.accountId, [tenant.accountId]));
  await pass(db, 5);
  const second = await started(db, tenant, from(other, [other]));
  const tested = await started(db, tenant, { sandbox: true });
  expect(await start(db, tenant)).toMatchObject({ kind: 'repeated', verification: { id: second } });
  await pass(db, 31);
  const third = await started(db, tenant);
  const statuses = await Promise.all(
    [first, second, tested, third].map(async (id) => (await row(db, id)).status),
  );
  expect(statuses).toEqual(['canceled', 'canceled', 'pending', 'pending']);
  const { rows } = await sql<{ code: string | null }>`
    select error_code as code from messages m join verifications v on v.group_id = m.group_id order by v.id`.execute(
    db,
  );
  expect(rows.map(({ code }) => code)).toEqual(['canceled', 'canceled', null, null]);
});

test('of starts at once by keys for different accounts each sends one', async () => {
  const starters = [from(tenant.accountId, [tenant.accountId]), from(other, [other]), { sandbox: true }];
  const results = await Promise.all(
    Array.from({ length: 30 }, (_, index) => start(db, tenant, starters[index % 3])),
  );
  expect(results.filter(({ kind }) => kind === 'started')).toHaveLength(3);
  expect(results.filter(({ kind }) => kind === 'repeated')).toHaveLength(27);
});

test('starts of the sandbox do not use up the hour of a prefix, nor the other way round', async () => {
  const one = (index: number, sandbox: boolean) =>
    start(
      db,
      tenant,
      { recipient: `+1555000${1_000 + index}`, shownRecipient: `+1555000${1_000 + index}`, sandbox },
      2,
    );
  const kinds = [];
  for (const [index, sandbox] of [true, true, true, false, false, false].entries())
    kinds.push((await one(index, sandbox)).kind);
  expect(kinds).toEqual(['started', 'started', 'limited', 'started', 'started', 'limited']);
});
