import { SegmentedMessage } from 'sms-segments-calculator';
import { segmentTexts, type SmsAlphabet, smsSegments, splitSms } from './segments.ts';

/*
 * The reference keeps a grapheme of several code points (a flag, a family, a letter with combining marks) in one
 * segment. No standard asks for that, so its count may exceed the segments that the text takes. For those texts, the
 * encoding must be the same and our count at most the reference's. Its "smart encoding" (dashes and quotes replaced) is
 * off, because we send a text unchanged.
 */
function agrees(text: string): boolean {
  const { encoding, segments } = smsSegments(text);
  const reference = new SegmentedMessage(text);
  if (encoding !== reference.encodingName) return false;
  const exact = reference.graphemes.every((grapheme) => Array.from(grapheme).length === 1);
  return exact ? segments === reference.segmentsCount : segments <= reference.segmentsCount;
}

const boundaries = [
  0, 1, 66, 67, 68, 69, 70, 71, 133, 134, 135, 152, 153, 154, 159, 160, 161, 201, 202, 305, 306, 307, 459,
  460,
];

test.each(['a', '@', '\n', '\r', '\f', '€', '[', 'é', 'ç', 'ж', '字', '😀', '\t', '`', '\u001b'])(
  '%j at every boundary',
  (character) => {
    const texts = boundaries.flatMap((length) =>
      ['', 'a', 'ж', 'aж'].map((before) => before + character.repeat(length)),
    );
    expect(texts.filter((text) => !agrees(text))).toEqual([]);
  },
);

test('every character up to U+2FFF is in the same alphabet as in the reference', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code));
  expect(characters.filter((character) => !agrees(character))).toEqual([]);
});

test('the numbers of the standard', () => {
  expect(smsSegments('a'.repeat(160))).toEqual({ encoding: 'GSM-7', units: 160, segments: 1 });
  expect(smsSegments('a'.repeat(161))).toEqual({ encoding: 'GSM-7', units: 161, segments: 2 });
  expect(smsSegments('€'.repeat(80))).toEqual({ encoding: 'GSM-7', units: 160, segments: 1 });
  expect(smsSegments('ж'.repeat(71))).toEqual({ encoding: 'UCS-2', units: 71, segments: 2 });
});

test('an escape sequence or a surrogate pair moves into the next segment as a whole', () => {
  expect(smsSegments(`${'a'.repeat(152)}€${'a'.repeat(152)}`).segments).toBe(3);
  expect(smsSegments(`${'ж'.repeat(66)}😀${'ж'.repeat(66)}`).segments).toBe(3);
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

const alphabets = [
  ['a', 'Z', '0', ' ', '@', 'Ω'],
  ['a', 'b', '€', '{', '~'],
  ['a', 'ж', '字', '€'],
  ['a', '😀', '𝒳', '字'],
  ['e', '\u0301', '👨‍👩‍👧', '🇩🇪', '\r\n', 'a'],
];

function* generated(count: number, seed: number): Generator<string> {
  const random = generator(seed);
  for (let made = 0; made < count; made += 1) {
    const alphabet = alphabets[made % alphabets.length] ?? [];
    const length = Math.floor(random() * (made % 20 === 0 ? 500 : 180));
    yield Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
  }
}

test('3,000 generated texts count as in the reference', () => {
  const texts = [...generated(3_000, 1)];
  expect(texts.filter((text) => !agrees(text))).toEqual([]);
});

/** Joined, the parts of the full cut give the text. Each is well-formed and within the limit, without room for the next character. */
function isCutFully(text: string, maxSegments: number): boolean {
  const texts = splitSms(text, maxSegments, 'full');
  const fit = texts.every((part) => smsSegments(part).segments <= maxSegments && part.isWellFormed());
  const full = texts.slice(1).every((part, index) => {
    const longer = `${texts[index]}${Array.from(part)[0]}`;
    return smsSegments(longer).segments > maxSegments;
  });
  return texts.join('') === text && fit && full;
}

test.each([1, 2, 3, 10])(
  'the full cut of 1,000 generated texts is whole, within %d segments, and no oftener than needed',
  (max) => {
    const texts = [...generated(1_000, 2)];
    expect(texts.filter((text) => !isCutFully(text, max))).toEqual([]);
  },
);

test.each([1, 2, 3, 10])('the readable cut of 1,000 generated texts is within %d segments', (max) => {
  const parts = [...generated(1_000, 2)].flatMap((text) => splitSms(text, max, 'readable'));
  expect(parts.filter((part) => smsSegments(part).segments > max || !part.isWellFormed())).toEqual([]);
});

test('only the text that needs it is cut for UCS-2', () => {
  expect(splitSms(`${'a'.repeat(200)}ж`, 1, 'readable')).toEqual(['a'.repeat(160), `${'a'.repeat(40)}ж`]);
});

test('a text that fits, and an empty one, stay whole', () => {
  expect(splitSms('hello', 1, 'readable')).toEqual(['hello']);
  expect(splitSms('', 1, 'readable')).toEqual(['']);
});

const defaults: readonly SmsAlphabet[] = ['gsm-03.38', 'latin-1', 'ascii'];

test.each(defaults)('the texts of the segments are the text, in the number counted, with %s', (alphabet) => {
  const random = generator(38);
  const pool = ['a', 'b', ' ', '€', '[', 'é', 'ú', 'Δ', 'ж', '😀'];
  for (let round = 0; round < 2_000; round += 1) {
    const few = pool.slice(0, 1 + Math.floor(random() * pool.length));
    const length = Math.floor(random() * 400);
    const text = Array.from({ length }, () => few[Math.floor(random() * few.length)]!).join('');
    const { encoding, texts } = segmentTexts(text, alphabet);
    expect(texts.join('')).toBe(text);
    const counted = smsSegments(text, alphabet);
    expect({ encoding, segments: texts.length }).toEqual({
      encoding: counted.encoding,
      segments: counted.segments,
    });
    expect(texts.filter((each) => smsSegments(each, alphabet).segments > 1)).toEqual([]);
    expect(texts.every((each) => each.isWellFormed())).toBe(true);
  }
});

test.each<[string, SmsAlphabet, string]>([
  ['Olá é', 'gsm-03.38', 'UCS-2'],
  ['é€Δ', 'gsm-03.38', 'GSM-7'],
  ['é[', 'latin-1', 'GSM-7'],
  ['€', 'latin-1', 'UCS-2'],
  ['Δ', 'latin-1', 'UCS-2'],
  ['ú', 'latin-1', 'UCS-2'],
  ['a{', 'ascii', 'GSM-7'],
  ['é', 'ascii', 'UCS-2'],
])('%j with %s travels as %s', (text, alphabet, encoding) => {
  expect(smsSegments(text, alphabet).encoding).toBe(encoding);
});

test('a text is split by the segments of its alphabet', () => {
  const text = 'é'.repeat(160);
  expect(splitSms(text, 1, 'full')).toHaveLength(1);
  expect(splitSms(text, 1, 'full', 'ascii').map((each) => each.length)).toEqual([70, 70, 20]);
});
