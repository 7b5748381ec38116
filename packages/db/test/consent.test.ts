import type { Db } from '@notify/db/connection';
import { recordConsents, settleMessages } from '@notify/db/dispatch';
import { acceptMessages } from '@notify/db/messages';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { makeTenant, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { claim } from './dispatching.ts';

async function claimOne(db: Db, tenant: TestTenant, to = '+15550001000') {
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  await acceptMessages(db, [textItem(tenant, { to })], rules);
  const [claimed] = await claim(db, tenant, { limit: 1 });
  return claimed!;
}

const optedOut = { errorCode: 'recipient-opted-out', text: 'STOP' };

test('a recipient the provider refuses for an opt-out gets nothing more from this account, until they opt in', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const first = await claimOne(test.db, tenant);
  expect(first.state).toBe('call');
  await settleMessages(test.db, [
    {
      accountId: tenant.accountId,
      settings: first.account.settings,
      messageId: first.messageId,
      holder: first.holder,
      attempts: 1,
      part: 0,
      parts: 1,
      segments: 1,
      outcome: { kind: 'rejected', ...optedOut },
      decision: { kind: 'failed', ...optedOut },
      attempted: true,
      tookMs: 1,
    },
  ]);
  expect((await claimOne(test.db, tenant)).state).toBe('opted-out');
  expect((await claimOne(test.db, tenant, '+15550002000')).state).toBe('call');
  expect((await claimOne(test.db, stranger)).state).toBe('call');
  await recordConsents(test.db, tenant.accountId, [{ recipient: '+15550001000', optedOut: false }]);
  expect((await claimOne(test.db, tenant)).state).toBe('call');
});

test('a report of an opt-out counts like a refusal, and so does a recipient who says stop', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const { messageId } = await claimOne(test.db, tenant);
  const receipt = {
    accountId: tenant.accountId,
    messageId,
    externalId: null,
    part: null,
    status: 'failed' as const,
  };
  const ids = await storeReceipts(test.db, [{ ...receipt, ...optedOut }]);
  await applyReceipts(test.db, { kind: 'ids', ids });
  expect((await claimOne(test.db, tenant)).state).toBe('opted-out');
  await recordConsents(test.db, tenant.accountId, [{ recipient: '+15550003000', optedOut: true }]);
  expect((await claimOne(test.db, tenant, '+15550003000')).state).toBe('opted-out');
});
