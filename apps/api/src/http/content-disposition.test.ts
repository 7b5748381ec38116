import { attachment } from './content-disposition.ts';

test.each([
  ['invoice 7.pdf', 'attachment; filename="invoice 7.pdf"'],
  ['Grüße.pdf', `attachment; filename="Gr__e.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf`],
  ['😀.png', `attachment; filename="__.png"; filename*=UTF-8''%F0%9F%98%80.png`],
  ['a"b.pdf', `attachment; filename="a_b.pdf"; filename*=UTF-8''a%22b.pdf`],
  [
    "it's (1)*.pdf é",
    `attachment; filename="it's (1)*.pdf _"; filename*=UTF-8''it%27s%20%281%29%2A.pdf%20%C3%A9`,
  ],
  ['100%25.txt', `attachment; filename="100_25.txt"; filename*=UTF-8''100%2525.txt`],
  ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
  ['C:\\x.exe', 'attachment; filename="C:_x.exe"'],
  ['a\r\nSet-Cookie: b', 'attachment; filename="aSet-Cookie: b"'],
  ['photo\u202egpj.exe', 'attachment; filename="photogpj.exe"'],
  ['lone \ud83d', `attachment; filename="lone _"; filename*=UTF-8''lone%20%EF%BF%BD`],
])('%j', (name, header) => {
  expect(attachment(name)).toBe(header);
});

test.each([
  ['x', '.pdf', 200],
  ['ü', '.pdf', 200],
  ['😀', '.tar', 200],
  ['a', '', 200],
])('a long name of %j keeps its ending %j', (character, ending, bytes) => {
  const header = attachment(character.repeat(1_024) + ending);
  expect(header.length).toBeLessThan(1_000);
  const plain = /filename="([^"]*)"/.exec(header)![1]!;
  const exact = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? plain);
  expect(exact.endsWith(ending)).toBe(true);
  expect(exact.slice(0, exact.length - ending.length)).toMatch(new RegExp(`^(${character})+$`, 'u'));
  expect(Buffer.byteLength(exact)).toBeGreaterThan(bytes - 4);
  expect(Buffer.byteLength(exact)).toBeLessThanOrEqual(bytes);
});

test('what follows a dot far from the end is no ending', () => {
  expect(attachment(`a.${'b'.repeat(1_000)}`)).toBe(`attachment; filename="a.${'b'.repeat(198)}"`);
});
