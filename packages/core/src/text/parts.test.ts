import { cutText, type EndOf } from './parts.ts';

/** Parts of at most that many UTF-16 code units, without halves of surrogate pairs. */
function within(units: number): EndOf {
  return (text, start) => {
    const end = Math.min(start + units, text.length);
    const isHalf = end < text.length && /[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
    return isHalf ? end - 1 : end;
  };
}

const cut = (text: string, units: number) => cutText(text, within(units), 'readable');

test.each([
  ['a text that fits stays whole, with its white space', ' one two ', 10, [' one two ']],
  ['a part ends after the last white space', 'one two three', 10, ['one two ', 'three']],
  [
    'a part that ends with a word drops the white space after it',
    'one two \n three',
    7,
    ['one two', 'three'],
  ],
  ['white space is kept as far as it fits', 'one   two', 5, ['one  ', 'two']],
  ['white space alone is no part', `a${' '.repeat(30)}b`, 10, [`a${' '.repeat(9)}`, 'b']],
  ['leading white space that fills a part is dropped', `${' '.repeat(12)}b`, 10, ['b']],
  ['a text of white space alone gives one part', ' '.repeat(25), 10, [' '.repeat(10)]],
  [
    'white space at the end of the text is dropped with its break',
    `${'a'.repeat(10)}   `,
    10,
    ['a'.repeat(10)],
  ],
  ['a long word begins in the room that is left', 'one abcdefghijklmnop', 10, ['one abcdef', 'ghijklmnop']],
  ['a break goes before CR LF, not into it', 'abcdefghi\r\njkl', 10, ['abcdefghi', 'jkl']],
  ['a no-break space holds words together', 'one two\u00a0three', 10, ['one ', 'two\u00a0three']],
  ['a family stays whole', `abcdefgh👨‍👩‍👧`, 10, ['abcdefgh', '👨‍👩‍👧']],
  ['flags stay whole', '🇩🇪🇫🇷🇮🇹', 10, ['🇩🇪🇫🇷', '🇮🇹']],
  ['a letter keeps its marks', `abcdefghie\u0301\u0302`, 10, ['abcdefghi', 'e\u0301\u0302']],
  ['a space with a mark is no white space', `abcdefghi \u0301b`, 10, ['abcdefghi', ' \u0301b']],
  [
    'a grapheme that fits no part is broken',
    `e${'\u0301'.repeat(12)}`,
    10,
    [`e${'\u0301'.repeat(9)}`, '\u0301'.repeat(3)],
  ],
  ['a link stays whole', 'see http://a.b/c now', 12, ['see ', 'http://a.b/c', 'now']],
  [
    'a link within a long word stays whole',
    '你好你好你好你好www.a.b/c你好你好',
    10,
    ['你好你好你好你好', 'www.a.b/c你', '好你好'],
  ],
  ['a link that fits no part is broken', 'http://a.b/cdefghij', 10, ['http://a.b', '/cdefghij']],
])('%s', (_, text, units, parts) => {
  expect(cut(text, units)).toEqual(parts);
});

/** A number in [0, 1), the same sequence for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pieces = [
  'a',
  'word',
  'ж',
  '字',
  ' ',
  '  ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\u00a0',
  '\u200d',
  '\ufe0f',
  '\u0600',
  'e\u0301',
  '\u0301\u0302',
  '👨‍👩‍👧‍👦',
  '👍🏽',
  '🇩🇪',
  '🇫',
  '한',
  'क्षि',
  '\ud83d',
  '\ude00',
  'https://',
  'www.',
  'https://example.com/a?b=c',
  'http://münchen.example/ä',
  'x'.repeat(30),
  `a${'\u0300'.repeat(40)}`,
];

function* generated(count: number, seed: number): Generator<string> {
  const random = generator(seed);
  for (let made = 0; made < count; made += 1) {
    const length = 1 + Math.floor(random() * 60);
    yield Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('');
  }
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const links = ['https://example.com/a?b=c', 'http://münchen.example/ä'];

/** What is wrong with the cut of a text, by what it promises. */
function faultsOf(text: string, units: number): string[] {
  const endOf = within(units);
  const parts = cut(text, units);
  const faults: string[] = [];
  const boundaries = new Set([...graphemes.segment(text)].map(({ index }) => index).concat(text.length));
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const from = text.indexOf(part, at);
    if (from < 0) return [`part ${index} is not in the rest of the text`];
    if (/[^\s]|[\u00a0\ufeff]/.test(text.slice(at, from)))
      faults.push(`lost ${JSON.stringify(text.slice(at, from))}`);
    if (part.length > units) faults.push(`part ${index} is too long`);
    const to = from + part.length;
    const grapheme = graphemes.segment(text).containing(to);
    if (!boundaries.has(to) && endOf(text, grapheme!.index) >= grapheme!.index + grapheme!.segment.length)
      faults.push(`part ${index} ends within a grapheme`);
    for (const link of links) {
      const begins = text.lastIndexOf(link, to - 1);
      const ends = begins + link.length;
      const isWhole =
        begins >= 0 &&
        boundaries.has(begins) &&
        boundaries.has(ends) &&
        !/[\x21-\x7e\u00c0-\u024f]/.test(text.charAt(ends));
      if (isWhole && link.length <= units && to < ends) faults.push(`part ${index} ends within ${link}`);
    }
    at = to;
  }
  if (/[^\s]|[\u00a0\ufeff]/.test(text.slice(at))) faults.push(`lost the end`);
  return faults;
}

test.each([2, 5, 10, 26, 67, 160])('500 generated texts keep the promises in parts of %d units', (units) => {
  const broken = [...generated(500, units)].flatMap((text) => {
    const faults = faultsOf(text, units);
    return faults.length === 0 ? [] : [{ text, faults }];
  });
  expect(broken).toEqual([]);
});

test('the full cut gives the text, part by part', () => {
  const texts = [...generated(500, 7)];
  expect(texts.filter((text) => cutText(text, within(10), 'full').join('') !== text)).toEqual([]);
});

test('a text of 4,096 characters without a break is cut in parts of any size', () => {
  for (const text of [
    '\u0301'.repeat(4_096),
    'x'.repeat(4_096),
    '🇩'.repeat(4_096),
    ' '.repeat(4_096),
    '\u200d'.repeat(4_096),
  ])
    for (const units of [2, 67, 1_000])
      expect(cut(text, units).join('').trim()).toBe(
        text.slice(0, text.trim() === '' ? units : undefined).trim(),
      );
});
