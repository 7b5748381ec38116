import { handClock } from '../../test/hand-clock.ts';
import type { Bind, BindEnd } from './bind.ts';
import { keepBound, type KeptEvent, reconnectWaitMs } from './keep-bound.ts';
import type { BindResult } from './open-bind.ts';

test('waits grow up to a minute, at least half of their ceiling', () => {
  expect([1, 2, 3, 7, 1_000].map((failures) => reconnectWaitMs(failures, () => 0))).toEqual([
    500, 1_000, 2_000, 30_000, 30_000,
  ]);
  expect(reconnectWaitMs(7, () => 0.999_999)).toBe(60_000);
});

/** What `keepBound` uses of a bind. */
function fakeBind() {
  const ended = Promise.withResolvers<BindEnd>();
  const close = async (): Promise<void> => ended.resolve({ kind: 'closed' });
  return { bind: { ended: ended.promise, close } as unknown as Bind, end: ended.resolve };
}

function keep(results: BindResult[]) {
  const clock = handClock();
  const events: KeptEvent[] = [];
  let opened = 0;
  const kept = keepBound({
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    open: async () => {
      opened += 1;
      return results.shift()!;
    },
  });
  const settle = () => new Promise(setImmediate);
  return { clock, events, kept, settle, opened: () => opened };
}

test('a bind that another session holds is tried again, and one that is lost comes back', async () => {
  const first = fakeBind();
  const { clock, events, kept, settle } = keep([
    { kind: 'refused', status: 0x05 },
    { kind: 'failed', text: 'no route' },
    { kind: 'bound', bind: first.bind },
    { kind: 'bound', bind: fakeBind().bind },
  ]);
  await settle();
  expect(events).toEqual([{ kind: 'waiting', text: 'refused with status 5', waitMs: 500 }]);
  await clock.move(500);
  expect(events.at(-1)).toEqual({ kind: 'waiting', text: 'no route', waitMs: 1_000 });
  await clock.move(1_000);
  expect(events.at(-1)).toEqual({ kind: 'bound', bind: first.bind });
  await clock.move(60_000);
  first.end({ kind: 'lost', text: 'gone' });
  await settle();
  // It had worked for a minute, so the wait is the first one again.
  expect(events.at(-1)).toEqual({ kind: 'waiting', text: 'gone', waitMs: 500 });
  await clock.move(500);
  expect(events.at(-1)).toMatchObject({ kind: 'bound' });
  await kept.stop();
});

test('a wrong password is told, and tried again every minute until the tenant acts', async () => {
  const { clock, events, kept, settle, opened } = keep([
    { kind: 'refused', status: 0x0e },
    { kind: 'refused', status: 0x0e },
  ]);
  await settle();
  expect(events).toEqual([{ kind: 'refused', status: 0x0e, waitMs: 60_000 }]);
  await clock.move(59_999);
  expect(opened()).toBe(1);
  await clock.move(1);
  expect(opened()).toBe(2);
  await kept.stop();
});

test('a stop ends a wait, and closes the bind', async () => {
  const { bind } = fakeBind();
  const { events, kept, settle, opened } = keep([{ kind: 'bound', bind }]);
  await settle();
  await kept.stop();
  expect(await bind.ended).toEqual({ kind: 'closed' });
  expect(events).toEqual([{ kind: 'bound', bind }]);
  expect(opened()).toBe(1);
});
