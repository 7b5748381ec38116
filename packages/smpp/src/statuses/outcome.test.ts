import { statuses } from './codes.ts';
import { bindMeaningOf, meaningOf, statusTable, statusText } from './meanings.ts';
import { outcomeOf } from './outcome.ts';

const answered = (status: number, messageId: string | null = null) =>
  ({ kind: 'answered', status, messageId }) as const;

test('every status of the specification has a meaning', () => {
  expect(Object.keys(statusTable)).toEqual(Object.keys(statuses));
});

test.each([
  ['an accepted message', 0x00, { kind: 'accepted', externalId: 'a1' }],
  ['a throttled account', 0x58, { kind: 'throttled', scope: 'account', afterMs: 4_000 }],
  ['a full queue', 0x14, { kind: 'throttled', scope: 'account', afterMs: 4_000 }],
  ['an error of the system', 0x08, { kind: 'retry', errorCode: 'provider-error', providerCode: '0x08' }],
  ['a bind that another holds', 0x05, { kind: 'retry' }],
  ['a wrong recipient', 0x0b, { kind: 'rejected', errorCode: 'recipient-rejected', providerCode: '0x0b' }],
  ['a wrong sender', 0x0a, { kind: 'rejected', errorCode: 'sender-rejected' }],
  ['a message that is too long', 0x01, { kind: 'rejected', errorCode: 'content-rejected' }],
  ['a message that is refused', 0x45, { kind: 'rejected', errorCode: 'provider-rejected' }],
  ['a service type that is not known', 0x15, { kind: 'connection-broken', providerCode: '0x15' }],
  ['an unknown error', 0xff, { kind: 'unknown' }],
  ['a reserved status', 0x09, { kind: 'unknown' }],
  ['a status of the vendor', 0x401, { kind: 'unknown', text: 'The SMSC answered status 0x401' }],
])('%s', (_, status, outcome) => {
  expect(outcomeOf(answered(status, 'a1'), 2)).toMatchObject(outcome);
});

test('the pause of a throttled account grows up to a minute', () => {
  const pauses = [0, 1, 5, 6, 1_000].map((throttles) => outcomeOf(answered(0x58), throttles));
  expect(pauses.map((each) => 'afterMs' in each && each.afterMs)).toEqual([
    1_000, 2_000, 32_000, 60_000, 60_000,
  ]);
});

test('what was not written is tried again, and what was written without an answer is unknown', () => {
  expect(outcomeOf({ kind: 'not-written', text: 'no bind' }, 0)).toEqual({
    kind: 'retry',
    errorCode: 'provider-unreachable',
    text: 'no bind',
  });
  expect(outcomeOf({ kind: 'unknown', text: 'lost' }, 0)).toEqual({ kind: 'unknown', text: 'lost' });
});

test('a refused bind needs the tenant only if it would be refused again', () => {
  const { ESME_RBINDFAIL, ESME_RINVPASWD, ESME_RINVSYSID, ESME_RINVSYSTYP, ESME_RINVCMDID } = statuses;
  for (const status of [ESME_RBINDFAIL, ESME_RINVPASWD, ESME_RINVSYSID, ESME_RINVSYSTYP, ESME_RINVCMDID])
    expect(bindMeaningOf(status)).toBe('account');
  for (const status of [statuses.ESME_RALYBND, statuses.ESME_RSYSERR, statuses.ESME_RTHROTTLED, 0x400])
    expect(bindMeaningOf(status)).toBe('retry');
});

test('a status for people', () => {
  expect(statusText(0x0b)).toBe('ESME_RINVDSTADR (0x0b): invalid destination address');
  expect(meaningOf(0x0b)).toBe(statusTable.ESME_RINVDSTADR.meaning);
});
