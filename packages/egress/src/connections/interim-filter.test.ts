import { InterimFilter, maxInterimBytes } from './interim-filter.ts';

const final = 'HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1';
const go = 'HTTP/1.1 100 Continue\r\n\r\n';
const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

/** What a filter lets through of these pieces. */
function through(pieces: readonly string[]): string {
  const filter = new InterimFilter();
  filter.expectAnswer();
  return pieces.map((piece) => filter.take(Buffer.from(piece))?.toString() ?? '').join('');
}

describe.each([
  ['no informational answer', '', final],
  ['100', go, final],
  ['100 twice', go + go, final],
  ['103, 100, 102', `${hints}${go}HTTP/1.1 102 Processing\r\n\r\n`, final],
  ['100 of HTTP/1.0 that closes', 'HTTP/1.0 100 Continue\r\nConnection: close\r\n\r\n', final],
  ['100 without a reason', 'HTTP/1.1 100\r\n\r\n', final],
  ['100 that announces a body', 'HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\n', final],
  ['100 with line feeds only', 'HTTP/1.1 100 Continue\nX: y\n\n', final],
  ['100 and an empty line', `\r\n${go}\r\n`, final],
  ['an unknown status', 'HTTP/1.1 199 Nearly\r\n\r\n', final],
  ['100, then an error', go, 'HTTP/1.1 503 Later\r\nRetry-After: 1\r\n\r\n'],
  ['100, then 101', go, `HTTP/1.1 101 Switching Protocols\r\n\r\n${go}`],
  ['100, then something else', go, 'HTTX/1.1 100'],
  ['100, then a status of four digits', go, 'HTTP/1.1 1000 What\r\n\r\n'],
])('%s', (_, interim, rest) => {
  test('is passed over in one piece', () => {
    expect(through([interim + rest])).toBe(rest);
  });

  test('is passed over when split in two at any byte', () => {
    const whole = interim + rest;
    for (let at = 0; at <= whole.length; at += 1)
      expect(through([whole.slice(0, at), whole.slice(at)])).toBe(rest);
  });

  test('is passed over byte by byte', () => {
    expect(through(Array.from(interim + rest))).toBe(rest);
  });
});

test('without a request nothing is passed over', () => {
  expect(new InterimFilter().take(Buffer.from(go))?.toString()).toBe(go);
});

test('each request begins anew', () => {
  const filter = new InterimFilter();
  for (let request = 0; request < 3; request += 1) {
    filter.expectAnswer();
    expect(filter.take(Buffer.from(go))).toBeNull();
    expect(filter.take(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))).not.toBeNull();
  }
});

test.each([
  ['many', go],
  ['one without end', 'x'],
  ['empty lines without end', '\r\n'],
])('informational answers are bounded: %s', (what, piece) => {
  const filter = new InterimFilter();
  filter.expectAnswer();
  if (what === 'one without end') filter.take(Buffer.from('HTTP/1.1 100 '));
  const takeAll = () => {
    for (let bytes = 0; bytes <= maxInterimBytes; bytes += piece.length) filter.take(Buffer.from(piece));
  };
  expect(takeAll).toThrow(expect.objectContaining({ code: 'UND_ERR_HEADERS_OVERFLOW' }));
});
