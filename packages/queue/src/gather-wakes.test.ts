import { gatherWakes } from './gather-wakes.ts';
import type { Wake } from './waker.ts';

const apartMs = 50;
const wake = (id: string): Wake => ({ lane: 'fast', id });

function gathering(send: () => Promise<void> = async () => undefined) {
  const sent: string[][] = [];
  const gathered = gatherWakes(apartMs, async (wakes) => {
    sent.push(wakes.map(({ id }) => id));
    await send();
  });
  return { gathered, sent };
}

test('what comes after a pause goes at once, and what comes too soon goes together, each id once', async () => {
  const { gathered, sent } = gathering();
  await gathered.add([wake('a'), wake('b')]);
  expect(sent).toEqual([['a', 'b']]);
  const sentAt = performance.now();
  await Promise.all([gathered.add([wake('c')]), gathered.add([wake('a'), wake('c')])]);
  expect(sent).toEqual([
    ['a', 'b'],
    ['c', 'a'],
  ]);
  // Timers may come a millisecond early.
  expect(performance.now() - sentAt).toBeGreaterThan(apartMs - 2);
});

test('everybody learns that their wakes could not be sent, and later ones are sent all the same', async () => {
  let away = true;
  const { gathered, sent } = gathering(async () => {
    if (away) throw new Error('away');
  });
  const both = await Promise.allSettled([gathered.add([wake('a')]), gathered.add([wake('b')])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  away = false;
  await gathered.add([wake('c')]);
  expect(sent).toEqual([['a', 'b'], ['c']]);
});

test('who closes waits for what has not been sent', async () => {
  const { gathered, sent } = gathering();
  await gathered.add([wake('a')]);
  void gathered.add([wake('b')]);
  await gathered.untilSent();
  expect(sent).toEqual([['a'], ['b']]);
});
