import { countOf, listQueryOf, readListFilter, writeListFilter } from './list-filter.ts';

const statuses = ['pending', 'approved'] as const;

test('a filter survives being written to the address and read back', () => {
  const filter = { to: '+14155550123', status: 'approved', span: '7d', from: null, until: null } as const;
  expect(readListFilter(writeListFilter(filter), statuses)).toEqual(filter);
  expect(countOf(filter)).toBe(3);
});

test('ignores unknown words in the address', () => {
  const filter = readListFilter(new URLSearchParams('status=sent&span=1y&channel=sms&to=%20'), statuses);
  expect(countOf(filter)).toBe(0);
  expect(listQueryOf(filter, 0)).toEqual({});
});

test('a span ends at the time of the request, and the api gets no word of its own', () => {
  const filter = readListFilter(new URLSearchParams('span=24h&status=pending&to=%2B491511'), statuses);
  const now = Date.parse('2026-01-08T12:00:00Z');
  expect(listQueryOf(filter, now)).toEqual({
    to: '+491511',
    status: 'pending',
    from: '2026-01-07T12:00:00.000Z',
  });
});

test('the two ends of a range are one condition', () => {
  const filter = readListFilter(new URLSearchParams('from=2026-01-01&until=2026-02-01'), statuses);
  expect(countOf(filter)).toBe(1);
  expect(listQueryOf(filter, 0)).toEqual({
    from: '2026-01-01T00:00:00.000Z',
    until: '2026-02-01T00:00:00.000Z',
  });
});
