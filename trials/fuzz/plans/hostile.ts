import fc from 'fast-check';

/** JSON as text: what `JSON.stringify` would never write has a place in it too. */
export type JsonText = string;

const deep = (open: string, close: string, depth: number): JsonText =>
  open.repeat(depth) + close.repeat(depth);

/** Names that objects inherit, and others that careless code trips over. */
const treacherousNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'toJSON',
  'length',
  '',
  '$ref',
  '~1',
  'a/b',
  '\u0000',
  '\ud800',
];

/** Texts with a meaning to somebody on the way: SQL, shells, templates, terminals, formats, file systems. */
const treacherousTexts = [
  '\u0000',
  'a\u0000b',
  '\ud83d',
  '\ude00x',
  '\ufeff',
  '\u202e',
  '\uffff',
  '\u2028',
  'İ',
  'ß',
  '\r\nX-Evil: 1',
  '\u001b[2J',
  '%00',
  '%',
  '%s%n%x',
  '{{text}}',
  '${7*7}',
  '{{constructor}}',
  "' or 1=1; --",
  '"; drop table messages; --',
  '\\',
  '\\u0000',
  '$1',
  '../../../etc/passwd',
  'file:///etc/passwd',
  'javascript:alert(1)',
  '<script>',
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  '١٢٣',
  ' ',
  '\t',
  '__proto__',
  'e\u0301'.repeat(50),
];

/** Addresses of requests that must not be made, or not so. None leads out of this machine. */
const treacherousUrls = [
  'http://',
  'http://[::1',
  'http://127.1:1/',
  'http://0x7f000001:1/',
  'http://[::ffff:127.0.0.1]:1/',
  'http://user:word@hooks.invalid/',
  'https://hooks.invalid:99999/',
  'https://hooks.invalid:0/',
  'HTTPS://HOOKS.INVALID',
  'https:hooks.invalid',
  '//hooks.invalid',
  'ftp://hooks.invalid/',
  'https://xn--/',
  'https://a..invalid/',
  `https://${'a'.repeat(300)}.invalid/`,
  'https://hooks.invalid/\u0000',
  'https://hooks.invalid/#x',
  'data:,x',
  'https://\ud800.invalid/',
  'http://169.254.169.254/latest/',
  'http://10.0.0.1:1/',
];

const numbers: readonly JsonText[] = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e308',
  '1e309',
  '-1e309',
  '1e-400',
  '9007199254740993',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  '1E+2',
];

const structures: readonly JsonText[] = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"":""}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"toString":1,"valueOf":1}',
  '{"length":1e9}',
  '{"then":"x"}',
  '{"type":"Buffer","data":[1]}',
  '{"$ref":"#"}',
  deep('[', ']', 40),
  deep('[', ']', 3_000),
  deep('{"a":', '}', 40).replace('}', '1}'),
  `[${'0,'.repeat(25_000)}0]`,
  `[${'{},'.repeat(2_000)}{}]`,
  `{${Array.from({ length: 2_000 }, (_, index) => `"k${index}":0`).join(',')}}`,
];

/** One value that no field expects, as JSON. */
export const hostileJson: fc.Arbitrary<JsonText> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...treacherousTexts).map((text) => JSON.stringify(text)) },
  { weight: 2, arbitrary: fc.constantFrom(...treacherousUrls).map((text) => JSON.stringify(text)) },
  { weight: 3, arbitrary: fc.constantFrom(...numbers) },
  { weight: 3, arbitrary: fc.constantFrom(...structures) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', '😀', '\u0001', '"', ' '), fc.constantFrom(101, 256, 4_097, 70_000))
      .map(([unit, count]) => JSON.stringify(unit.repeat(count))),
  },
  { weight: 1, arbitrary: fc.json({ maxDepth: 5 }) },
);

/** A text for a place that takes no JSON: a path, a query, a form. May hold anything, lone surrogates too. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...treacherousTexts, ...treacherousNames),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('x'.repeat(3_000), '😀'.repeat(200)),
);

const name = fc.oneof(fc.constantFrom(...treacherousNames), fc.string({ maxLength: 10 }));

/** Values with one change: somewhere in them, something is replaced, added, named twice, taken away or wrapped. */
export function mutated(values: fc.Arbitrary<unknown>): fc.Arbitrary<JsonText> {
  const how = fc.constantFrom<Change['how'][]>(
    'replace',
    'replace',
    'replace',
    'add',
    'twice',
    'remove',
    'wrap',
    'null',
  );
  const change = fc.record({ at: fc.nat(), how, name, hostile: hostileJson });
  return fc.tuple(values, change).map(([value, made]) => write(value, made));
}

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'add' | 'twice' | 'remove' | 'wrap' | 'null';
  readonly name: string;
  readonly hostile: JsonText;
}

/** Writes JSON with the change made at one of the value's nodes, counted from its root. */
function write(value: unknown, change: Change): JsonText {
  const target = change.at % count(value);
  let seen = -1;
  const visit = (part: unknown): JsonText | null => {
    seen += 1;
    const here = seen === target ? change : null;
    const own = writeNode(part, visit, here);
    switch (here?.how) {
      case 'replace':
        return here.hostile;
      case 'remove':
        return null;
      case 'wrap':
        return `[${own}]`;
      case 'null':
        return 'null';
      case 'add':
      case 'twice':
      case undefined:
        return own;
    }
  };
  return visit(value) ?? '';
}

function writeNode(part: unknown, visit: (part: unknown) => JsonText | null, here: Change | null): JsonText {
  if (Array.isArray(part)) {
    const items = part.map(visit).filter((item) => item !== null);
    return `[${[...items, ...(here?.how === 'add' ? [here.hostile] : [])].join(',')}]`;
  }
  if (typeof part !== 'object' || part === null) return JSON.stringify(part) ?? 'null';
  const pairs = Object.entries(part).flatMap(([key, inner]) => {
    const text = visit(inner);
    return text === null ? [] : [`${JSON.stringify(key)}:${text}`];
  });
  if (here?.how === 'add') pairs.push(`${JSON.stringify(here.name)}:${here.hostile}`);
  if (here?.how === 'twice' && pairs[0] !== undefined)
    pairs.push(`${pairs[0].split(':')[0]}:${here.hostile}`);
  return `{${pairs.join(',')}}`;
}

function count(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1);
}

/** What is sent where JSON is expected and is none, or hardly. */
export const brokenBodies: readonly (readonly [what: string, body: Buffer])[] = [
  ['empty', Buffer.alloc(0)],
  ['a BOM before it', Buffer.from('\ufeff{}')],
  ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['overlong UTF-8', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
  ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['cut off', Buffer.from('{"to":"+4917')],
  ['a comma too many', Buffer.from('{"a":1,}')],
  ['two documents', Buffer.from('{}{}')],
  ['NaN', Buffer.from('{"a":NaN}')],
  ['a comment', Buffer.from('{}//')],
  ['single quotes', Buffer.from("{'a':1}")],
  ['NUL bytes', Buffer.alloc(50)],
  ['deep arrays', Buffer.from(deep('[', ']', 100_000))],
  ['open arrays', Buffer.from('['.repeat(200_000))],
  ['deep objects', Buffer.from(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)],
  ['200,000 values', Buffer.from(`[${'0,'.repeat(200_000)}0]`)],
  [
    '200,000 names',
    Buffer.from(`{${Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join(',')}}`),
  ],
  ['1 MB of text', Buffer.from(JSON.stringify({ text: 'x'.repeat(1_048_500) }))],
  ['2 MB', Buffer.alloc(2_097_152, ' ')],
  ['7 MB', Buffer.alloc(7_340_032, '[')],
  ['a form', Buffer.from('to=%2B49170&text=x')],
  [
    'XML',
    Buffer.from('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
  ],
];
