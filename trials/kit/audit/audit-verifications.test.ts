import { auditVerifications, type VerificationRecord } from './audit-verifications.ts';

const sent = {
  messageId: 'm',
  text: '271828 is your verification code.',
  taken: 1,
  possibleDuplicate: false,
};
const good: VerificationRecord = {
  key: '1-v00001',
  policy: 'at-least-once',
  ids: ['ver_a'],
  approvals: 1,
  wrong: [],
  rows: [{ id: 'a', status: 'approved', tries: 1 }],
  sent: [sent],
};

const verdicts = (changes: Partial<VerificationRecord>) =>
  auditVerifications([{ ...good, ...changes }]).map(({ verdict }) => verdict);

test('a verification without fault has no finding, nor one whose answers were lost', () => {
  expect(verdicts({})).toEqual([]);
  expect(verdicts({ approvals: 0 })).toEqual([]);
  expect(verdicts({ approvals: 0, rows: [{ id: 'a', status: 'pending', tries: 0 }], sent: [] })).toEqual([]);
  expect(verdicts({ sent: [{ ...sent, taken: 2, possibleDuplicate: true }] })).toEqual([]);
});

test.each<[string, Partial<VerificationRecord>, string]>([
  ['two approvals', { approvals: 2 }, 'duplicated'],
  ['an approval that did not stay', { rows: [{ id: 'a', status: 'pending', tries: 0 }] }, 'lost'],
  ['a verification that does not exist', { rows: [], approvals: 0 }, 'lost'],
  [
    'two ids',
    { ids: ['ver_a', 'ver_a2'], rows: [...good.rows, { id: 'a2', status: 'approved', tries: 1 }] },
    'wrong',
  ],
  ['a sixth try', { rows: [{ id: 'a', status: 'approved', tries: 6 }] }, 'wrong'],
  ['two codes', { sent: [sent, { ...sent, text: '314159 is your verification code.' }] }, 'duplicated'],
  ['a mask at the provider', { sent: [{ ...sent, text: '•••••• is your verification code.' }] }, 'wrong'],
  ['a code sent twice', { sent: [{ ...sent, taken: 2 }] }, 'duplicated'],
  [
    'a code sent twice, at most once',
    { policy: 'at-most-once', sent: [{ ...sent, taken: 2, possibleDuplicate: true }] },
    'duplicated',
  ],
  ['a wrong answer', { wrong: ['500'] }, 'wrong'],
])('%s is found', (_what, changes, verdict) => {
  expect(verdicts(changes)).toContain(verdict);
});
