import { once } from 'node:events';
import { createDeadlines } from './deadlines.ts';

test('each deadline fires at its own time, unless it was disposed of', async () => {
  const deadlines = createDeadlines();
  const early = deadlines.begin(1);
  const late = deadlines.begin();
  await once(early.signal, 'abort');
  expect(late.signal.aborted).toBe(false);
  late[Symbol.dispose]();
  deadlines.endAll();
  expect(late.signal.aborted).toBe(false);
});

test('endAll fires the running deadlines, and each later one as it starts', () => {
  const deadlines = createDeadlines();
  using first = deadlines.begin(60_000);
  expect([first.signal.aborted, deadlines.allOver]).toEqual([false, false]);
  deadlines.endAll();
  using second = deadlines.begin(60_000);
  expect([first.signal.aborted, second.signal.aborted, deadlines.allOver]).toEqual([true, true, true]);
});
