import { countOf, everything, groupIdIn, messageIdIn, queryOf, readFilter, writeFilter } from './filter.ts';

const id = '01a20085-c49f-7b6f-90af-2e24b4f6c220';

test('a filter survives being written to the address and read back', () => {
  const filter = { ...everything, channel: 'sms', status: 'failed', to: '+14155550123', span: '7d' } as const;
  expect(readFilter(writeFilter(filter))).toEqual(filter);
});

test('finds messages by an exact error code, key, provider ID, group and tag', () => {
  const exact = {
    errorCode: 'recipient-rejected',
    externalId: 'SM1',
    idempotencyKey: 'order-4711',
    groupId: `grp_${id}`,
    tag: 'newsletter',
  };
  const filter = readFilter(new URLSearchParams(exact));
  expect(queryOf(filter, 0)).toEqual(exact);
  expect(countOf(filter)).toBe(5);
  expect([groupIdIn(` GRP_${id.toUpperCase()}`), groupIdIn(id), groupIdIn('grp_1')]).toEqual([
    `grp_${id}`,
    null,
    null,
  ]);
});

test('ignores unknown words in the address', () => {
  const search = new URLSearchParams('channel=fax&status=lost&span=1y&from=yesterday&to=%20');
  expect(readFilter(search)).toEqual(everything);
});

test('an address is that of the sender where messages were received', () => {
  const filter = readFilter(new URLSearchParams('direction=inbound&to=%2B491511'));
  expect(queryOf(filter, 0)).toEqual({ direction: 'inbound', sender: '+491511' });
  expect(queryOf({ ...filter, direction: 'all' }, 0)).toEqual({ direction: 'all', to: '+491511' });
  expect(readFilter(new URLSearchParams('direction=up')).direction).toBeNull();
});

test('a span takes precedence over points in time', () => {
  const filter = readFilter(new URLSearchParams('span=24h&from=2026-01-01T00:00:00Z'));
  expect(filter).toMatchObject({ span: '24h', from: null });
});

test('a span ends at the time of the request', () => {
  const now = Date.parse('2026-01-08T12:00:00Z');
  expect(queryOf({ ...everything, span: '7d' }, now)).toEqual({ from: '2026-01-01T12:00:00.000Z' });
});

test('scheduled messages have their own query', () => {
  const filter = readFilter(new URLSearchParams('status=scheduled'));
  expect(countOf(filter)).toBe(1);
  expect(queryOf(filter, 0)).toEqual({ scheduled: true });
});

test('two points in time count as one condition', () => {
  const filter = readFilter(new URLSearchParams('from=2026-01-01&until=2026-02-01&status=sent'));
  expect(countOf(filter)).toBe(2);
  expect(queryOf(filter, 0)).toEqual({
    status: 'sent',
    from: '2026-01-01T00:00:00.000Z',
    until: '2026-02-01T00:00:00.000Z',
  });
});

test.each([
  [`msg_${id}`, `msg_${id}`],
  [` ${id.toUpperCase()} `, `msg_${id}`],
  ['+14155550123', null],
  [`key_${id}`, null],
])('in %s the id %s is found', (typed, found) => {
  expect(messageIdIn(typed)).toBe(found);
});
