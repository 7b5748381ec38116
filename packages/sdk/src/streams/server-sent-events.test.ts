import { type Block, createBlockParser } from './server-sent-events.ts';

const encoder = new TextEncoder();

function parse(...chunks: readonly Uint8Array[]): Block[] {
  const parser = createBlockParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
}

const cases: readonly (readonly [string, string, readonly Block[]])[] = [
  ['an id with data', 'id: 1\ndata: {}\n\n', [{ id: '1', event: '', data: '{}' }]],
  ['an id alone', 'id: 1\n\n', [{ id: '1', event: '', data: null }]],
  ['several lines of data', 'data: a\ndata:b\ndata\n\n', [{ id: '', event: '', data: 'a\nb\n' }]],
  ['CR as end of line', 'id: 1\rdata: a\r\r', [{ id: '1', event: '', data: 'a' }]],
  ['CR LF as end of line', 'id: 1\r\ndata: a\r\n\r\n', [{ id: '1', event: '', data: 'a' }]],
  [
    'mixed ends of lines',
    'id: 1\r\ndata: a\r\n\ndata: b\n\r\n',
    [
      { id: '1', event: '', data: 'a' },
      { id: '1', event: '', data: 'b' },
    ],
  ],
  [
    'comments between blocks and in them',
    ':\n\n:beat\n\nid: 1\n:x\ndata: a\n\n',
    [{ id: '1', event: '', data: 'a' }],
  ],
  ['the name of an event', 'event: other\ndata: a\n\n', [{ id: '', event: 'other', data: 'a' }]],
  [
    'an id that stays until the next one',
    'id: 1\n\ndata: a\n\nid\ndata: b\n\n',
    [
      { id: '1', event: '', data: null },
      { id: '1', event: '', data: 'a' },
      { id: '', event: '', data: 'b' },
    ],
  ],
  [
    'an id with NUL, which is ignored',
    'id: 1\n\nid: 2\0\ndata: a\n\n',
    [
      { id: '1', event: '', data: null },
      { id: '1', event: '', data: 'a' },
    ],
  ],
  ['one space after the colon at most', 'data:  a: b\n\n', [{ id: '', event: '', data: ' a: b' }]],
  ['a byte order mark', '\ufeffid: 1\n\n', [{ id: '1', event: '', data: null }]],
  ['characters of two, three and four bytes', 'data: ä€😀\n\n', [{ id: '', event: '', data: 'ä€😀' }]],
  [
    'a block without its empty line, which is dropped',
    'id: 1\n\nid: 2\ndata: a\n',
    [{ id: '1', event: '', data: null }],
  ],
];

describe('the parser of server-sent events', () => {
  test.each(cases)('reads %s', (_what, text, blocks) => {
    expect(parse(encoder.encode(text))).toEqual(blocks);
  });

  test.each(cases)('reads %s, cut at every byte', (_what, text, blocks) => {
    const bytes = encoder.encode(text);
    for (let at = 0; at <= bytes.length; at += 1)
      expect(parse(bytes.subarray(0, at), bytes.subarray(at))).toEqual(blocks);
    expect(parse(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(blocks);
  });

  test('returns a block as soon as its empty line has ended, also by a CR', () => {
    expect(parse(encoder.encode('data: a\r\n\r'))).toEqual([{ id: '', event: '', data: 'a' }]);
  });
});
