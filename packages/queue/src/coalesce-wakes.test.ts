import { setTimeout as pause } from 'node:timers/promises';
import type { Wake } from '@notify/core';
import { coalesceWakes } from './coalesce-wakes.ts';

const apartMs = 50;
const wake = (id: string): Wake => ({ lane: 'fast', id });

function coalescing(send: () => Promise<void> = async () => undefined) {
  const sent: string[][] = [];
  const coalesced = coalesceWakes(apartMs, async (wakes) => {
    sent.push(wakes.map(({ id }) => id));
    await send();
  });
  return { coalesced, sent };
}

test('an id that was not woken just now is woken at once, and the others go together, each once', async () => {
  const { coalesced, sent } = coalescing();
  await coalesced.add([wake('a'), wake('b')]);
  const sentAt = performance.now();
  const again = Promise.all([coalesced.add([wake('a')]), coalesced.add([wake('b'), wake('a')])]);
  await coalesced.add([wake('c')]);
  expect(sent).toEqual([['a', 'b'], ['c']]);
  await again;
  expect(sent).toEqual([['a', 'b'], ['c'], ['a', 'b']]);
  // Timers may come a millisecond early.
  expect(performance.now() - sentAt).toBeGreaterThan(apartMs - 2);
});

test('an id waits after a late wake too, and goes at once after a pause', async () => {
  const { coalesced, sent } = coalescing();
  await coalesced.add([wake('a')]);
  await coalesced.add([wake('a')]);
  const late = coalesced.add([wake('a')]);
  expect(sent).toEqual([['a'], ['a']]);
  await late;
  await pause(2 * apartMs);
  void coalesced.add([wake('a')]);
  expect(sent).toHaveLength(4);
});

test('every caller sees that its wakes could not be sent, and later wakes are still sent', async () => {
  let away = true;
  const { coalesced, sent } = coalescing(async () => {
    if (away) throw new Error('away');
  });
  const both = await Promise.allSettled([coalesced.add([wake('a')]), coalesced.add([wake('b')])]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const late = coalesced.add([wake('b'), wake('c')]);
  await expect(late).rejects.toThrow('away');
  away = false;
  await coalesced.add([wake('c')]);
  expect(sent).toEqual([['a'], ['b'], ['c'], ['b', 'c']]);
});

test('a close waits for unsent wakes', async () => {
  const { coalesced, sent } = coalescing();
  await coalesced.add([wake('a')]);
  void coalesced.add([wake('a')]);
  await coalesced.untilSent();
  expect(sent).toEqual([['a'], ['a']]);
});
