import { bodyText } from './body-text.ts';
import { readDocument, readForm } from './callback-body.ts';
import { jsonIn, parseJson } from './json.ts';

test.each<[string, unknown]>([
  ['{"id":12345678901234567890}', { id: '12345678901234567890' }],
  ['{"id":-12345678901234567890}', { id: '-12345678901234567890' }],
  ['12345678901234567890', '12345678901234567890'],
  ['[9007199254740993]', ['9007199254740993']],
  ['[9007199254740991, 9007199254740992]', [9_007_199_254_740_991, '9007199254740992']],
  [
    '{"a":\n12345678901234567890,"b":17,"c":1.5,"d":"12345678901234567890"}',
    {
      a: '12345678901234567890',
      b: 17,
      c: 1.5,
      d: '12345678901234567890',
    },
  ],
  ['{"a":[[{"b":100000000000000000000001}]]}', { a: [[{ b: '100000000000000000000001' }]] }],
  [
    '[1e400, 0.12345678901234567890, 12345678901234567890]',
    [Infinity, 0.123_456_789_012_345_68, '12345678901234567890'],
  ],
  ['["1234567890123456x", 1234567890123456]', ['1234567890123456x', 1_234_567_890_123_456]],
  [
    '{"a":"\\\\","b":12345678901234567890,"c":"\\",12345678901234567890,\\"","d":" 12345678901234567890,"}',
    {
      a: '\\',
      b: '12345678901234567890',
      c: '",12345678901234567890,"',
      d: ' 12345678901234567890,',
    },
  ],
  [
    '[12345678901234567890e2, 12345678901234567890.5]',
    [Number('1.2345678901234567890e21'), Number('12345678901234567890.5')],
  ],
  ['[01234567890123456789]', null],
  ['[-9007199254740991, -9007199254740993]', [-9_007_199_254_740_991, '-9007199254740993']],
  ['{"id":12345678901234567890,"open', null],
  ['{"id":12345678901234567890', null],
  ['', null],
])('%s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test('an integer of 16 to 24 digits keeps them wherever it begins', () => {
  for (let digits = 16; digits <= 24; digits += 1)
    for (let blanks = 0; blanks < 40; blanks += 1) {
      const id = `9${'1'.repeat(digits - 1)}`;
      const text = `{"n":123456789012345,${' '.repeat(blanks)}"id":${id},"x":1}`;
      expect(parseJson(text)).toHaveProperty('id', Number.isSafeInteger(Number(id)) ? Number(id) : id);
    }
});

test('a document of many levels is read', () => {
  const depth = 5_000;
  let inner = parseJson(`${'['.repeat(depth)}12345678901234567890${']'.repeat(depth)}`);
  while (Array.isArray(inner)) [inner] = inner as unknown[];
  expect(inner).toBe('12345678901234567890');
});

const text = '{"id":"ä€"}';
const utf16 = (mark: string) => Buffer.from(`${mark}${text}`, 'utf16le');

test.each([
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
  ['UTF-16, little endian, with a byte order mark', utf16('\ufeff')],
  ['UTF-16, big endian, with a byte order mark', utf16('\ufeff').swap16()],
])('JSON in %s', (_, body) => {
  expect(jsonIn(body)).toEqual({ id: 'ä€' });
  expect(readDocument(body)).toEqual({ id: 'ä€' });
  expect(bodyText(body)).toBe(text);
});

test('a form with a byte order mark has its first field', () => {
  expect(readForm(Buffer.from('\ufeffid=7&x=1'))?.get('id')).toBe('7');
});
