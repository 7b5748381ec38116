import { codePoints, isStorable, scrub } from './text.ts';

test('lengths count code points, so an emoji is one', () => {
  expect(codePoints('añ👍')).toBe(3);
});

test('text with a NUL or a lone surrogate cannot be stored, and is made storable by scrubbing', () => {
  expect([isStorable('fine 👍'), isStorable('a\u0000'), isStorable('a\ud800')]).toEqual([true, false, false]);
  expect(scrub('a\u0000b\ud800')).toBe('ab\ufffd');
  expect(isStorable(scrub('👍👍', 3))).toBe(true);
});
