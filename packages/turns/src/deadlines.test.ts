import { once } from 'node:events';
import { createDeadlines } from './deadlines.ts';

test('each fires at its own time, and not once it is disposed of', async () => {
  const deadlines = createDeadlines();
  const early = deadlines.begin(1);
  const late = deadlines.begin();
  await once(early.signal, 'abort');
  expect(late.signal.aborted).toBe(false);
  late[Symbol.dispose]();
  deadlines.endAll();
  expect(late.signal.aborted).toBe(false);
});

test('when all are over those under way fire, and so does each that begins then', () => {
  const deadlines = createDeadlines();
  using first = deadlines.begin(60_000);
  expect([first.signal.aborted, deadlines.allOver]).toEqual([false, false]);
  deadlines.endAll();
  using second = deadlines.begin(60_000);
  expect([first.signal.aborted, second.signal.aborted, deadlines.allOver]).toEqual([true, true, true]);
});
