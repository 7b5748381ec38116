import { isWellFormedKey, makeKey } from './key-text.ts';

test('a key has its prefix, 43 and 6 characters, and no two are the same', () => {
  const keys = Array.from({ length: 200 }, makeKey);
  for (const key of keys) {
    expect(key).toMatch(/^svc_live_[0-9A-Za-z]{49}$/);
    expect(isWellFormedKey(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test('a key with one character changed, or two swapped, is not well-formed', () => {
  const key = makeKey();
  const begin = 'svc_live_'.length;
  for (let index = begin; index < key.length; index += 1) {
    const other = key[index] === 'a' ? 'b' : 'a';
    expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
  }
  const swapped = key.slice(0, begin) + key[begin + 1] + key[begin] + key.slice(begin + 2);
  expect(isWellFormedKey(swapped)).toBe(key[begin] === key[begin + 1]);
});

test('the checksum is the CRC-32 of the 43 characters in base62', () => {
  // CRC-32 of 43 zeros is 2018072207, which is 2CZclj in base62; both were computed with Python's zlib.
  expect(isWellFormedKey(`svc_live_${'0'.repeat(43)}2CZclj`)).toBe(true);
  expect(isWellFormedKey(`svc_live_${'0'.repeat(43)}2CZclk`)).toBe(false);
});

test.each(['', 'svc_live_', `svc_test_${'0'.repeat(43)}2CZclj`, `svc_live_${'é'.repeat(49)}`])(
  '%j is not well-formed',
  (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  },
);
