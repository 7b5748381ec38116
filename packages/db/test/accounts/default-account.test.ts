import { findAccount, markVerdict } from '@notify/db/accounts';
import { makeTenant, testDatabase } from '@notify/testkit';

test('a check gives an account that worked before the default that it missed', async () => {
  await using test = await testDatabase();
  const { tenantId, accountId } = await makeTenant(test.db);
  await test.db
    .updateTable('channel_accounts')
    .set({ is_default: false, status: 'connected', last_connected_at: new Date() })
    .where('id', '=', accountId)
    .execute();
  const account = (await findAccount(test.db, tenantId, accountId))!;
  await markVerdict(test.db, account, { kind: 'passed' });
  expect((await findAccount(test.db, tenantId, accountId))?.is_default).toBe(true);
});
