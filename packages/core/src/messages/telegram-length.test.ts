import { telegramLength } from './telegram-length.ts';

test.each([
  ['html', '<b>bold</b> &lt;3', 'bold <3'],
  ['html', '<a href="https://example.com/?a=1&amp;b=2">a</a>', 'a'],
  ['html', `<a href="https://example.com/?a>b">a</a> <a href='x">'>b</a>`, 'a b'],
  ['html', '<span class="tg-spoiler">a</span><br/>', 'a'],
  ['html', '😀', '😀'],
  ['html', '&#128512;&#x1F600;&#39;&QUOT;', '😀😀\'"'],
  ['html', '&lt &amp;lt; &ltx; &copy; &', '< &lt; &ltx; &copy; &'],
  ['html', '&#0;&#1114112;', '&#0;&#1114112;'],
  ['html', '1 > 0 "quoted"', '1 > 0 "quoted"'],
  ['html', ' \n<b> bold </b>\n', 'bold'],
  ['markdown', '*bold* _it_ [a](https://example.com)', 'bold it a'],
  ['markdown', '[a](https://example.com/\\)b) c', 'a c'],
  ['markdown', '1\\.5 \\\\ \\*', '1.5 \\ *'],
  ['markdown', '__under__ ~gone~ ||hidden||', 'under gone hidden'],
  ['markdown', '![👍](tg://emoji?id=5368324170671202286)', '👍'],
  ['markdown', '`a*b_c[d](e)` \\`', 'a*b_c[d](e) `'],
  ['markdown', '`a\\`b`', 'a`b'],
  ['markdown', '```python\na * b\n```', 'a * b'],
  ['markdown', '```\n`a` \\` *b*```', '`a` ` *b*'],
  ['markdown', '```code```', 'code'],
  ['markdown', '>one\n>two\\!\n**>three||', 'one\ntwo!\nthree'],
  ['markdown', 'plain', 'plain'],
] as const)('%s: %j is read as %j', (format, text, read) => {
  expect(telegramLength(text, format)).toBe(read.length);
});

// If one of these were read anew from each character, it would take hours.
test.each([
  '<',
  '<a "',
  "<a '",
  '<""',
  '&',
  '&#',
  '](',
  '[',
  '`',
  '```',
  '```a',
  '\\',
  '>',
  '![',
  '](\\)',
  '`\\`',
])('a million characters of %j are read once', (mark) => {
  const text = mark.repeat(1_000_000 / mark.length);
  for (const format of ['html', 'markdown'] as const)
    expect(telegramLength(text, format)).toBeLessThanOrEqual(text.length);
});
