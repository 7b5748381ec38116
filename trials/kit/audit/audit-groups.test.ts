import { auditGroups, type GroupRecord, type RouteRecord } from './audit-groups.ts';

const first: RouteRecord = {
  messageId: 'm1',
  status: 'failed',
  createdAt: 1_000,
  storedAt: 1_000,
  failedAt: 3_000,
  deliveredAt: null,
  calledAt: [2_000],
  possibleDuplicate: false,
  taken: 1,
};
const second: RouteRecord = {
  ...first,
  messageId: 'm2',
  status: 'delivered',
  createdAt: 2_990,
  storedAt: 3_000,
  failedAt: null,
};
const row = {
  id: 'a',
  status: 'delivered',
  ended: true,
  leftFor: ['failed'],
  routes: [first, second],
} as const;
const good: GroupRecord = { key: '1-g0001', policy: 'at-least-once', ids: ['a'], wrong: [], rows: [row] };

const verdicts = (changes: Partial<GroupRecord>) =>
  auditGroups([{ ...good, ...changes }]).map(({ verdict }) => verdict);
const withFirst = (changes: Partial<RouteRecord>): Partial<GroupRecord> => ({
  rows: [{ ...row, leftFor: ['time-over'], routes: [{ ...first, ...changes }, second] }],
});

test('a group without fault has no finding, nor one whose answer was lost', () => {
  expect(verdicts({})).toEqual([]);
  expect(verdicts({ ids: [] })).toEqual([]);
  expect(verdicts({ ids: [], rows: [] })).toEqual([]);
  expect(verdicts(withFirst({ status: 'sent', failedAt: null, createdAt: -7_010 }))).toEqual([]);
  expect(verdicts(withFirst({ taken: 2, possibleDuplicate: true }))).toEqual([]);
});

test.each<[string, Partial<GroupRecord>, string]>([
  ['a group that does not exist', { rows: [] }, 'lost'],
  ['two groups', { rows: [row, { ...row, id: 'b' }] }, 'duplicated'],
  ['two ids', { ids: ['a', 'b'] }, 'wrong'],
  ['a group without end', { rows: [{ ...row, ended: false }] }, 'stuck'],
  ['a delivery that no provider knows', { rows: [{ ...row, routes: [{ ...second, taken: 0 }] }] }, 'lost'],
  ['a route sent twice', withFirst({ taken: 2 }), 'duplicated'],
  ['a call after the next route began', withFirst({ calledAt: [3_001] }), 'duplicated'],
  ['a route that begins after a delivery', withFirst({ deliveredAt: 2_989 }), 'duplicated'],
  ['a route left too early', withFirst({ status: 'sent', failedAt: null }), 'wrong'],
  ['a route left before it failed', withFirst({ failedAt: 3_001 }), 'wrong'],
  ['a wrong answer', { wrong: ['500'] }, 'wrong'],
])('%s is found', (_what, changes, verdict) => {
  expect(verdicts(changes)).toContain(verdict);
});
