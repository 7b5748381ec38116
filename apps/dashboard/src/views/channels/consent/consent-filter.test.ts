import { queryOf, readFilter, writeFilter } from './consent-filter.ts';

test('a filter is written into the address and read from it', () => {
  const filter = { recipient: '+491511', status: 'opted-out' } as const;
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(queryOf(filter, 'a')).toEqual({ channelAccountId: 'a', ...filter });
});

test('what is unknown or empty filters nothing', () => {
  const filter = readFilter(new URLSearchParams('status=maybe&recipient=+'));
  expect(filter).toEqual({ recipient: null, status: null });
  expect(queryOf(filter, 'a')).toEqual({ channelAccountId: 'a' });
});
