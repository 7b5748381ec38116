import { DeviceLists } from './device-lists.ts';

test('keeps a list until it is dropped, and drops the least recently used of a thousand', () => {
  const lists = new DeviceLists();
  for (let user = 0; user < 1_000; user += 1) lists.set(String(user), [user]);
  lists.set('0', ['again']);
  lists.set('1000', ['one more']);
  expect(lists.get('0')).toEqual(['again']);
  expect(lists.get('1')).toBeUndefined();
  expect(lists.get('1000')).toEqual(['one more']);
  lists.del('1000');
  expect(lists.get('1000')).toBeUndefined();
  lists.flushAll();
  expect(lists.get('2')).toBeUndefined();
});

test('a hash is new if it differs from the last one of that user', () => {
  const lists = new DeviceLists();
  expect(lists.isNewHash('a', '2:x')).toBe(true);
  expect(lists.isNewHash('a', '2:x')).toBe(false);
  expect(lists.isNewHash('b', '2:x')).toBe(true);
  expect(lists.isNewHash('a', '2:y')).toBe(true);
});
