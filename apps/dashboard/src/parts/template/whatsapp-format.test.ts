import { readMarks } from './whatsapp-format.ts';

/** Writes styles as tags. */
function tagged(text: string): string {
  return readMarks(text)
    .map((one) => one.styles.reduceRight((inner, style) => `<${style}>${inner}</${style}>`, one.text))
    .join('');
}

test.each([
  ['*You’re* set', '<bold>You’re</bold> set'],
  ['_a_ ~b~ `c`', '<italic>a</italic> <strike>b</strike> <code>c</code>'],
  ['*bold _both_*', '<bold>bold </bold><bold><italic>both</italic></bold>'],
  ['```two\nlines *not bold*```', '<code>two\nlines *not bold*</code>'],
  ['*{{1}}*, hello', '<bold>{{1}}</bold>, hello'],
])('%j is drawn as %j', (text, drawn) => {
  expect(tagged(text)).toBe(drawn);
});

test.each(['2 * 3 * 4', 'snake_case_name', '*open', '* a*', '*a\nb*', '', '**', '~'])(
  '%j has no marks',
  (text) => {
    expect(tagged(text)).toBe(text);
  },
);
