import type { Group, GroupRoute, MessageDetails } from '@notify/sdk';
import { routeLineOf } from './group-words.ts';

const route = (at: number, begun: boolean, leftFor: GroupRoute['leftFor'] = null): GroupRoute => ({
  channel: 'sms',
  to: '+15550001000',
  type: 'text',
  body: { text: 'hi' },
  channelAccountId: '01912d60-5b7e-7d02-b0f4-3c8f2f1e9a11',
  messageId: begun ? `msg_${at}` : null,
  leftFor,
});
const message = (at: number, status: MessageDetails['status'], errorCode: string | null = null) =>
  ({ messageId: `msg_${at}`, status, errorCode }) as MessageDetails;

function group(changes: Partial<Group>): Group {
  return {
    id: 'grp_1',
    status: 'pending',
    deliveredTwice: false,
    verificationId: null,
    routes: [],
    messages: [],
    metadata: {},
    tags: [],
    advanceAfterSeconds: 60,
    nextRouteAt: null,
    createdAt: '',
    scheduledAt: null,
    expiresAt: '',
    updatedAt: '',
    endedAt: null,
    ...changes,
  };
}

test('a group that goes on', () => {
  const going = group({
    routes: [route(0, true, 'time-over'), route(1, true), route(2, false), route(3, false)],
    messages: [message(0, 'sent'), message(1, 'queued')],
    nextRouteAt: '2026-01-31T09:30:00.000Z',
  });
  expect([0, 1, 2, 3].map((at) => routeLineOf(going, at))).toEqual([
    expect.objectContaining({ what: 'Sent', more: expect.stringContaining('may still arrive') }),
    { tone: 'waiting', what: 'Waiting', more: null },
    expect.objectContaining({ what: 'Not tried yet', more: expect.stringContaining('Begins if') }),
    { tone: 'idle', what: 'Not tried yet', more: null },
  ]);
});

test.each([
  ['failed', 'blocked', 'failed', 'Failed: blocked. The next route began.'],
  ['failed', 'expired', 'time-over', 'It was not sent in time, so the next route began.'],
  ['failed', 'outcome-unknown', 'time-over', 'The provider did not respond in time'],
  ['delivered', null, 'time-over', 'It arrived after the next route had begun.'],
] as const)('a route that is %s with %s and was left for %s', (status, code, leftFor, more) => {
  const left = group({ routes: [route(0, true, leftFor)], messages: [message(0, status, code)] });
  expect(routeLineOf(left, 0).more).toContain(more);
});

test('a group that has ended', () => {
  const endedAt = '2026-01-31T09:30:00.000Z';
  const delivered = group({
    routes: [route(0, true), route(1, false)],
    messages: [message(0, 'delivered')],
    status: 'delivered',
    endedAt,
  });
  expect(routeLineOf(delivered, 0)).toEqual({ tone: 'good', what: 'Delivered', more: null });
  expect(routeLineOf(delivered, 1)).toMatchObject({ what: 'Not needed', more: null });
  const canceled = group({
    routes: [route(0, true), route(1, false)],
    messages: [message(0, 'failed', 'canceled')],
    status: 'failed',
    endedAt,
  });
  expect([0, 1].map((at) => routeLineOf(canceled, at).more)).toEqual([
    'It was canceled.',
    'The group ended first.',
  ]);
  const failed = group({
    routes: [route(0, true)],
    messages: [message(0, 'failed', 'blocked')],
    status: 'failed',
    endedAt,
  });
  expect(routeLineOf(failed, 0).more).toBe('Failed: blocked.');
  const both = group({
    routes: [route(0, true, 'failed'), route(1, true)],
    messages: [message(0, 'failed', 'expired'), message(1, 'failed', 'blocked')],
    status: 'failed',
    endedAt,
  });
  expect(routeLineOf(both, 1).more).toBe('Failed: blocked. This was the last route.');
  const old = group({ routes: [route(0, true)], messages: [], status: 'failed', endedAt });
  expect(routeLineOf(old, 0).what).toBe('Removed');
});
