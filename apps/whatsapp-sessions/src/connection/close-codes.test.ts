import type { Random } from '@notify/core';
import { type AfterClose, afterClose, type CloseCode, linkingFailure } from './close-codes.ts';
import type { Ban } from './login-refusals.ts';

const most: Random = () => 0;
const now = new Date('2026-01-31T09:30:00.000Z');

interface Close {
  readonly failures?: number;
  readonly flaps?: number;
  readonly refusals?: number;
  readonly ban?: Ban;
  readonly wasOpen?: boolean;
}

const after = (code: CloseCode, close: Close = {}, random = most): AfterClose => {
  const { failures = 1, flaps = 0, refusals = 0, ban = null, wasOpen = false } = close;
  return afterClose({ code, ban, wasOpen }, { failures, flaps, refusals, now }, random);
};

const asked = { ends: 'asked', state: { status: 'action-required' } };

test.each<[CloseCode, number, object]>([
  [515, 1, { kind: 'reconnect', afterMs: 0, state: null }],
  [515, 3, { kind: 'reconnect', afterMs: 2_000 }],
  [401, 1, { kind: 'forget', detail: expect.stringContaining('Link it again') }],
  [403, 1, { kind: 'hold', hold: asked }],
  [419, 1, { kind: 'hold', hold: asked }],
  [406, 1, { kind: 'hold', hold: asked }],
  [409, 1, { kind: 'hold', hold: asked }],
  [411, 1, { kind: 'hold', hold: asked }],
  [440, 1, { kind: 'reconnect', afterMs: 60_000, state: { status: 'disconnected' } }],
  [405, 1, { kind: 'reconnect', afterMs: 600_000 }],
  [400, 1, { kind: 'reconnect', afterMs: 600_000 }],
  [500, 1, { kind: 'reconnect', afterMs: 1_000 }],
  [500, 5, { kind: 'hold', hold: { ends: { afterMs: 3_600_000 }, state: { status: 'action-required' } } }],
  [408, 1, { kind: 'reconnect', afterMs: 1_000, state: { status: 'connecting' } }],
  [428, 3, { kind: 'reconnect', afterMs: 4_000, state: { status: 'disconnected' } }],
  [503, 20, { kind: 'reconnect', afterMs: 60_000 }],
  ['frozen', 1, { kind: 'reconnect', afterMs: 1_000 }],
  ['no-ack', 1, { kind: 'reconnect', afterMs: 1_000 }],
])('after %s, failure %i in a row: %j', (code, failures, expected) => {
  expect(after(code, { failures })).toMatchObject(expected);
});

test('shortens a wait by up to half at random', () => {
  expect(after(408, { failures: 3 }, () => 1 - Number.EPSILON)).toMatchObject({ afterMs: 2_000 });
});

test.each([
  [0, 60_000],
  [1, 120_000],
  [3, 480_000],
  [30, 86_400_000],
])(
  'a login that is refused for reasons nobody knows, after %i refusals: waits %i ms',
  (refusals, afterMs) => {
    const detail = expect.stringContaining(`(477). Next try at ${inMs(afterMs)}`);
    const hold = { ends: { afterMs, until: null }, state: { status: 'disconnected', detail } };
    expect(after(477, { refusals })).toEqual({ kind: 'hold', hold });
  },
);

const inMs = (ms: number): string => new Date(now.getTime() + ms).toISOString();

test('reconnects after an unknown code, but not for ever', () => {
  const open = { wasOpen: true, failures: 0 };
  expect(after(477, open)).toMatchObject({ kind: 'reconnect', afterMs: 1_000 });
  expect(after(477, { ...open, flaps: 2 })).toMatchObject({ kind: 'reconnect', afterMs: 2_000 });
  expect(after(477, { ...open, flaps: 3 })).toMatchObject({
    kind: 'hold',
    hold: { ends: { afterMs: 60_000 } },
  });
  expect(after(477, { ...open, flaps: 5 })).toMatchObject({
    kind: 'hold',
    hold: { ends: { afterMs: 240_000 } },
  });
});

test('a session that is refused again after a hold is held for longer at once', () => {
  expect(after(500, { refusals: 1 })).toMatchObject({ kind: 'hold', hold: { ends: { afterMs: 7_200_000 } } });
});

describe('a temporary ban', () => {
  const until = (expire: number | null, close: Close = {}, reason: string | null = null) =>
    after(402, { ...close, ban: { expire, reason } });
  const epoch = now.getTime() / 1_000;

  test('ends after the number of seconds that WhatsApp says', () => {
    const detail = expect.stringContaining(`until ${inMs(7_200_000)}: too many people blocked it.`);
    const hold = { ends: { afterMs: 7_200_000, until: null }, state: { status: 'disconnected', detail } };
    expect(until(7_200, {}, '102')).toEqual({ kind: 'hold', hold });
  });

  test('ends at the time that WhatsApp says', () => {
    const end = new Date(now.getTime() + 7_200_000);
    expect(until(epoch + 7_200)).toMatchObject({
      hold: {
        ends: { afterMs: 0, until: end },
        state: { detail: expect.stringContaining(`until ${end.toISOString()}. It`) },
      },
    });
  });

  test.each([null, 0, -5, epoch - 1])(
    'lasts an hour, then longer each time, if WhatsApp says %s',
    (expire) => {
      expect(until(expire)).toMatchObject({ hold: { ends: { afterMs: 3_600_000, until: null } } });
      expect(until(expire, { refusals: 2 })).toMatchObject({ hold: { ends: { afterMs: 14_400_000 } } });
    },
  );

  test('that WhatsApp repeats as a short one leads to longer waits', () => {
    expect(until(5)).toMatchObject({ hold: { ends: { afterMs: 5_000 } } });
    expect(until(5, { refusals: 2 })).toMatchObject({ hold: { ends: { afterMs: 240_000 } } });
  });
});

test('an attempt to link that ended says why', () => {
  expect(linkingFailure(408, true)).toMatch(/in time/);
  expect(linkingFailure(408, false)).toMatch(/Cannot reach/);
  expect(linkingFailure(428, true)).toMatch(/connection/);
  expect(linkingFailure(402, true)).toMatch(/banned/);
  expect(linkingFailure(406, true)).toMatch(/banned/);
  expect(linkingFailure(409, true)).toMatch(/WHATSAPP_WEB_VERSION/);
  expect(linkingFailure(477, true)).toMatch(/477/);
});
