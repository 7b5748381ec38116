import { countOf, queryOf, readFilter, writeFilter } from './filter.ts';

const nowMs = Date.UTC(2026, 0, 31);
const anyTime = { span: null, from: null, until: null };

test('a filter is written into the address and read from it', () => {
  const filter = {
    search: 'Anna',
    channel: 'telegram',
    account: '0190d5a4',
    isUnread: true,
    ...anyTime,
    span: '24h',
  } as const;
  expect(writeFilter(filter).toString()).toBe(
    'search=Anna&channel=telegram&account=0190d5a4&span=24h&unread=true',
  );
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(countOf(filter)).toBe(5);
  expect(queryOf(filter, nowMs)).toEqual({
    search: 'Anna',
    channel: 'telegram',
    channelAccountId: '0190d5a4',
    unread: true,
    from: '2026-01-30T00:00:00.000Z',
  });
});

test('a range of time is one condition', () => {
  const filter = readFilter(new URLSearchParams('from=2026-01-01&until=2026-01-02'));
  const range = { from: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' };
  expect(queryOf(filter, nowMs)).toEqual(range);
  expect(countOf(filter)).toBe(1);
  expect(countOf({ ...filter, from: null })).toBe(1);
});

test('what is unknown or empty filters nothing', () => {
  const filter = readFilter(new URLSearchParams('channel=pigeon&account=+&search=+&unread=maybe'));
  expect(filter).toEqual({ search: null, channel: null, account: null, isUnread: false, ...anyTime });
  expect(countOf(filter)).toBe(0);
  expect(queryOf(filter, nowMs)).toEqual({});
});

test('a whole number is looked up as such, a part of one is searched for', () => {
  const query = (search: string) =>
    queryOf({ search, channel: null, account: null, isUnread: false, ...anyTime }, nowMs);
  expect(query('+49 151 12340021')).toEqual({ to: '+4915112340021' });
  expect(query('0151 1234')).toEqual({ search: '0151 1234' });
  expect(query('@anna')).toEqual({ search: '@anna' });
});
