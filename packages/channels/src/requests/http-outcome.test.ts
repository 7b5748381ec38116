import { answerText, redact } from './http-outcome.ts';

describe('secrets are taken out of a text', () => {
  test.each([
    ['the token abc is wrong', ['abc'], 'the token *** is wrong'],
    ['abc and abc', ['abc'], '*** and ***'],
    ['abcd', ['abc', 'abcd'], '***'],
    ['key=a%20b&key=a+b', ['a b'], 'key=***&key=***'],
    ['"a\\"b"', ['a"b'], '"***"'],
    ['abcd', ['abc', 'bcd'], '***'],
    ['nothing', ['', 'abc'], 'nothing'],
  ])('%s', (text, secrets, expected) => {
    expect(redact(text, secrets)).toBe(expected);
  });

  test('ten secrets that are in their own replacement add two characters for each that is found', () => {
    const secrets = Array<string>(10).fill('*');
    expect(redact('a*b', secrets)).toBe('a***b');
    const answer = { ok: true, status: 400, headers: {}, truncated: false, durationMs: 1 } as const;
    expect(answerText({ ...answer, body: Buffer.from('*') }, secrets)).toBe('HTTP 400: ***');
  });
});
