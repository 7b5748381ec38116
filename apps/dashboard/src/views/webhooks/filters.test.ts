import type { ChannelAccount } from '@notify/sdk';
import { changedFilters, filterLines, filtersOf, filterValues, isWithoutAccounts } from './filters.ts';

const shop = { id: '0198c0de-0000-7000-8000-00000000aaaa', name: 'Shop', channel: 'sms' } as ChannelAccount;
const gone = '0198c0de-0000-7000-8000-00000000bbbb';
const none = { channelAccountIds: null, channels: null, tags: null };

test('empty inputs are no filter', () => {
  expect(filtersOf({ channelAccountIds: [], channels: [], tags: [] })).toEqual(none);
  const all = { channelAccountIds: [gone], channels: ['sms' as const], tags: ['a'] };
  for (const one of [none, all]) expect(filtersOf(filterValues(one))).toEqual(one);
});

test('only filters that differ are sent', () => {
  const before = { ...none, channelAccountIds: [gone], tags: ['a'] };
  expect(changedFilters(before, { ...before })).toEqual({});
  expect(changedFilters({ ...before, tags: null }, before)).toEqual({ tags: null });
});

test('filters are told in words, those of removed accounts, too', () => {
  expect(filterLines(none, [shop])).toEqual([]);
  const filters = { channelAccountIds: [shop.id, gone], channels: ['sms' as const], tags: ['a', 'b'] };
  expect(filterLines(filters, [shop])).toEqual(['Shop · SMS, Removed account (…bbbb)', 'SMS', 'Tagged a, b']);
  expect(filterLines(filters, null)).toEqual(['SMS', 'Tagged a, b']);
});

test('a webhook whose accounts are all removed is known', () => {
  expect(isWithoutAccounts({ ...none, channelAccountIds: [gone] }, [shop])).toBe(true);
  expect(isWithoutAccounts({ ...none, channelAccountIds: [gone, shop.id] }, [shop])).toBe(false);
  expect(isWithoutAccounts({ ...none, channelAccountIds: [gone] }, null)).toBe(false);
  expect(isWithoutAccounts(none, [])).toBe(false);
});
