import { isFiltered, queryOf, readFilter, writeFilter } from './filter.ts';

test('a filter is written into the address and read from it', () => {
  const filter = { channel: 'telegram', account: '0190d5a4' } as const;
  expect(writeFilter(filter).toString()).toBe('channel=telegram&account=0190d5a4');
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(queryOf(filter)).toEqual({ channel: 'telegram', channelAccountId: '0190d5a4' });
});

test('what is unknown or empty filters nothing', () => {
  const filter = readFilter(new URLSearchParams('channel=pigeon&account=+'));
  expect(filter).toEqual({ channel: null, account: null });
  expect(isFiltered(filter)).toBe(false);
  expect(queryOf(filter)).toEqual({});
});
