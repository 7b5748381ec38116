import { shownInWords } from './shown-words.ts';

test('a list says how many it shows, and whether these are all', () => {
  expect([shownInWords(50, false, 'message'), shownInWords(1_250, true, 'message')]).toEqual([
    '50 messages so far',
    '1,250 messages',
  ]);
  expect(shownInWords(1, true, 'delivery', 'deliveries')).toBe('1 delivery');
});
