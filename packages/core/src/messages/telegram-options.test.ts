import { leastTelegramLength } from './telegram-options.ts';

test.each([
  ['html', '<b>bold</b> &lt;3', 'bold 3'.length],
  ['html', '<a href="https://example.com/?a=1">a</a>', 1],
  ['html', '😀', 2],
  ['markdown', '*bold* _it_ [a](https://example.com)', 'bold it a'.length],
  ['markdown', '1\\.5', 2],
  ['markdown', 'plain', 5],
] as const)('%s: %s has at least %d units', (format, text, least) => {
  expect(leastTelegramLength(text, format)).toBe(least);
});
