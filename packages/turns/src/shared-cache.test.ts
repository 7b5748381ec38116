import { createSharedCache } from './shared-cache.ts';

test('an owner that keeps very much flushes only its own values', () => {
  const cache = createSharedCache<number>(10);
  cache.set('quiet', 'quiet 1', 1);
  cache.set('quiet', 'quiet 2', 2);
  for (let key = 0; key < 1_000; key += 1) cache.set('storm', `storm ${key}`, key);
  expect(cache.size).toBe(10);
  expect([cache.get('quiet 1'), cache.get('quiet 2')]).toEqual([1, 2]);
  expect([cache.get('storm 991'), cache.get('storm 992')]).toEqual([undefined, 992]);
});

test('a value that is set again is the newest of its owner, and may have another owner', () => {
  const cache = createSharedCache<string>(2);
  cache.set('a', 'one', 'old');
  cache.set('a', 'two', 'two');
  cache.set('a', 'one', 'new');
  cache.set('a', 'three', 'three');
  expect([cache.get('one'), cache.get('two'), cache.get('three')]).toEqual(['new', undefined, 'three']);
  cache.set('b', 'one', 'of b');
  cache.delete('three');
  cache.delete('unknown');
  cache.set('b', 'four', 'four');
  expect([cache.size, cache.get('one'), cache.get('four')]).toEqual([2, 'of b', 'four']);
});
