import { judgeMediaUrl } from './media-url.ts';

test.each(['https://example.com/a.png', 'http://example.com:8080/a?b=c#d', 'HTTPS://example.com'])(
  'takes %s',
  (url) => {
    expect(judgeMediaUrl(url)).toBeNull();
  },
);

test.each([
  '',
  'a.png',
  '//example.com/a.png',
  'ftp://example.com/a.png',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'https:example.com',
  'https://',
  'https://user@example.com/a.png',
  'https://user:secret@example.com/a.png',
  ' https://example.com/a.png',
  'https://example.com/a b.png',
  'https://exa\tmple.com/',
])('refuses %j', (url) => {
  expect(judgeMediaUrl(url)).toEqual(expect.any(String));
});
