import { judgeMediaUrl } from './media-url.ts';

test.each(['http://example.com:8080/a?b=c#d', 'HTTPS://example.com'])('takes %s', (url) => {
  expect(judgeMediaUrl(url)).toBeNull();
});

test.each([
  '//example.com/a.png',
  'https:example.com',
  'https://user@example.com/a.png',
  'https://user:secret@example.com/a.png',
  ' https://example.com/a.png',
  'https://example.com/a b.png',
  'https://exa\tmple.com/',
])('refuses %j', (url) => {
  expect(judgeMediaUrl(url)).toEqual(expect.any(String));
});
