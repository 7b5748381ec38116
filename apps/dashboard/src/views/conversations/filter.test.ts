import { countOf, queryOf, readFilter, writeFilter } from './filter.ts';

test('a filter is written into the address and read from it', () => {
  const filter = { search: 'Anna', channel: 'telegram', account: '0190d5a4', isUnread: true } as const;
  expect(writeFilter(filter).toString()).toBe('search=Anna&channel=telegram&account=0190d5a4&unread=true');
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(countOf(filter)).toBe(4);
  expect(queryOf(filter)).toEqual({
    search: 'Anna',
    channel: 'telegram',
    channelAccountId: '0190d5a4',
    unread: true,
  });
});

test('what is unknown or empty filters nothing', () => {
  const filter = readFilter(new URLSearchParams('channel=pigeon&account=+&search=+&unread=maybe'));
  expect(filter).toEqual({ search: null, channel: null, account: null, isUnread: false });
  expect(countOf(filter)).toBe(0);
  expect(queryOf(filter)).toEqual({});
});

test('a whole number is looked up as such, a part of one is searched for', () => {
  const query = (search: string) => queryOf({ search, channel: null, account: null, isUnread: false });
  expect(query('+49 151 12340021')).toEqual({ to: '+4915112340021' });
  expect(query('0151 1234')).toEqual({ search: '0151 1234' });
  expect(query('@anna')).toEqual({ search: '@anna' });
});
