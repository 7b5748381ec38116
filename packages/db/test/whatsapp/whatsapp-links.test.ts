import { changeAccount, createAccount, markVerdict, takeDefaultOnLink } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { preparePartitions, takePartitions } from '@notify/db/ownership';
import { changeLink, findDevice, findLink, requestLink, requestUnlink } from '@notify/db/whatsapp';
import { makeTenant, testDatabase, type TestDatabase } from '@notify/testkit';
import type { NewAccount } from '../../src/accounts/accounts.ts';

let test_: TestDatabase;
let db: Db;
let tenantId: string;

const accountId = '019a0000-0000-7000-8000-000000000001';

beforeEach(async () => {
  test_ = await testDatabase();
  db = test_.db;
  ({ tenantId } = await makeTenant(db));
  await createAccount(db, newAccount(), 10);
});

function newAccount(): NewAccount {
  return {
    id: accountId,
    tenantId,
    channel: 'whatsapp',
    provider: 'whatsapp-web',
    name: 'Phone',
    settings: 'sealed',
    perSecond: null,
    isDefault: false,
    verdict: { kind: 'unchecked', detail: null },
  };
}

afterEach(() => test_[Symbol.asyncDispose]());

const row = () =>
  db.selectFrom('channel_accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();

test('a new account is held in its own lane until it is linked, and says what to do', async () => {
  expect(await row()).toMatchObject({
    lane: 'whatsapp-web',
    status: 'action-required',
    paused_until: Infinity,
  });
  expect(await findLink(db, tenantId, accountId)).toMatchObject({
    step: 'idle',
    shown: null,
    newContacts: 0,
  });
});

test('neither new settings nor a check of them let it send', async () => {
  const verdict = { kind: 'passed' } as const;
  const settings = { sealed: 'new', perSecond: null, verdict };
  await changeAccount(db, tenantId, accountId, () => ({ settings }));
  await markVerdict(db, await row(), verdict);
  expect(await row()).toMatchObject({
    settings: 'new',
    status: 'action-required',
    paused_until: Infinity,
    is_default: false,
  });
});

test('it takes the default when its phone is linked for the first time, where no real account has it', async () => {
  expect(await row()).toMatchObject({ is_default: false });
  await takeDefaultOnLink(db, accountId);
  expect(await row()).toMatchObject({ is_default: true });
  const other = '019a0000-0000-7000-8000-00000000000b';
  const account = { ...newAccount(), id: other };
  await createAccount(db, account, 10);
  await takeDefaultOnLink(db, other);
  expect(await row()).toMatchObject({ is_default: true });
});

test('a phone that is linked again leaves the default where its tenant put it', async () => {
  await db
    .updateTable('channel_accounts')
    .set({ last_connected_at: new Date() })
    .where('id', '=', accountId)
    .execute();
  await takeDefaultOnLink(db, accountId);
  expect(await row()).toMatchObject({ is_default: false });
});

test('a request to link is written for its owner to see; one that is linked needs none', async () => {
  expect(await requestLink(db, tenantId, accountId, '15550001000')).toBe('requested');
  const link = () => db.selectFrom('whatsapp_links').selectAll().executeTakeFirstOrThrow();
  expect(await link()).toMatchObject({ wanted: 'link', wanted_phone: '15550001000', version: '2' });
  await db.updateTable('whatsapp_links').set({ wanted: null, linked_at: new Date() }).execute();
  expect(await requestLink(db, tenantId, accountId, null)).toBe('linked');
  expect(await link()).toMatchObject({ wanted: null, version: '2' });
  expect(await requestUnlink(db, tenantId, accountId)).toBe(true);
  expect(await link()).toMatchObject({ wanted: 'unlink', version: '3' });
});

test('an attempt that ends takes back no wish but its own', async () => {
  const owner = { lane: 'whatsapp-web', id: '019a0000-0000-7000-8000-00000000000a', partitions: 1 } as const;
  await preparePartitions(db, owner);
  const [taken] = await takePartitions(db, owner, [0], 60_000);
  const served = async () => (await findDevice(db, accountId))!.requests;
  const wantedAfter = async (request: string) => {
    expect(await changeLink(db, taken!.lease, accountId, { step: 'failed', served: request })).toBe(true);
    return (await findDevice(db, accountId))!.wanted;
  };
  await requestLink(db, tenantId, accountId, null);
  const first = await served();
  await requestLink(db, tenantId, accountId, '15550100001');
  expect(await wantedAfter(first)).toBe('link');
  expect((await findDevice(db, accountId))!.wantedPhone).toBe('15550100001');
  expect(await wantedAfter(await served())).toBeNull();
  expect((await findDevice(db, accountId))!.wantedPhone).toBeNull();
  await requestUnlink(db, tenantId, accountId);
  expect(await wantedAfter(await served())).toBe('unlink');
});

test('what is shown is gone when it has expired', async () => {
  const show = (shownUntil: Date) =>
    db
      .updateTable('whatsapp_links')
      .set({ step: 'display-qr', shown: 'sealed', shown_until: shownUntil })
      .execute();
  await show(new Date(Date.now() + 60_000));
  expect(await findLink(db, tenantId, accountId)).toMatchObject({ shown: 'sealed' });
  await show(new Date(Date.now() - 1_000));
  expect(await findLink(db, tenantId, accountId)).toMatchObject({ shown: null, shownUntil: null });
});

test("another tenant's link is not there", async () => {
  const other = await makeTenant(db);
  expect(await findLink(db, other.tenantId, accountId)).toBeNull();
  expect(await requestLink(db, other.tenantId, accountId, null)).toBeNull();
  expect(await requestUnlink(db, other.tenantId, accountId)).toBe(false);
});
