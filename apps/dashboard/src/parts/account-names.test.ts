import type { ChannelAccount } from '@notify/sdk';
import { accountNames } from './account-names.ts';

const shop = { id: '0198c0de-0000-7000-8000-00000000aaaa', name: 'Shop', channel: 'sms' } as ChannelAccount;
const gone = '0198c0de-0000-7000-8000-00000000bbbb';

test('a key for all accounts names none', () => {
  expect(accountNames({ channelAccountIds: null }, [shop])).toBeNull();
});

test('accounts have their names, and a removed one the end of its ID', () => {
  expect(accountNames({ channelAccountIds: [shop.id, gone] }, [shop])).toEqual([
    'Shop · SMS',
    'Removed account (…bbbb)',
  ]);
});

test('nothing is said to be removed before the accounts are read', () => {
  expect(accountNames({ channelAccountIds: [gone] }, null)).toEqual([]);
});
