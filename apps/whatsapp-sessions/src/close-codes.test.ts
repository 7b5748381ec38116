import { afterClose, type CloseCode, linkingFailure } from './close-codes.ts';

const most = (): number => 0;

test.each<[CloseCode, number, object]>([
  [515, 1, { kind: 'reconnect', afterMs: 0, state: null }],
  [401, 1, { kind: 'forget', detail: expect.stringContaining('Link it again') }],
  [403, 1, { kind: 'stop', detail: expect.stringContaining('blocked') }],
  [419, 1, { kind: 'stop' }],
  [411, 1, { kind: 'stop', detail: expect.stringContaining('Update') }],
  [440, 1, { kind: 'reconnect', afterMs: 60_000, state: { status: 'disconnected' } }],
  [405, 1, { kind: 'reconnect', afterMs: 600_000 }],
  [400, 1, { kind: 'reconnect', afterMs: 600_000 }],
  [500, 1, { kind: 'reconnect', afterMs: 1_000 }],
  [500, 5, { kind: 'stop' }],
  [408, 1, { kind: 'reconnect', afterMs: 1_000, state: { status: 'connecting' } }],
  [428, 3, { kind: 'reconnect', afterMs: 4_000, state: { status: 'disconnected' } }],
  [503, 20, { kind: 'reconnect', afterMs: 60_000 }],
  ['frozen', 1, { kind: 'reconnect', afterMs: 1_000 }],
  ['no-ack', 1, { kind: 'reconnect', afterMs: 1_000 }],
])('after %s, failure %i in a row: %j', (code, failures, expected) => {
  expect(afterClose(code, failures, most)).toMatchObject(expected);
});

test('up to half of a wait is spared at random', () => {
  expect(afterClose(408, 3, () => 1 - Number.EPSILON)).toMatchObject({ afterMs: 2_000 });
});

test('an attempt to link that ended says why', () => {
  expect(linkingFailure(408, true)).toMatch(/in time/);
  expect(linkingFailure(408, false)).toMatch(/cannot be reached/);
  expect(linkingFailure(428, true)).toMatch(/connection/);
});
