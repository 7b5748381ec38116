import { returnPath } from './return-path.ts';

test.each([
  ['/messages/msg_1?x=1', '/messages/msg_1?x=1'],
  [null, '/overview'],
  ['', '/overview'],
  ['https://evil.example/', '/overview'],
  ['//evil.example/', '/overview'],
  ['/\\evil.example/', '/overview'],
  ['javascript:alert(1)', '/overview'],
  ['/login?to=/login', '/overview'],
])('from %p the way leads to %s', (wanted, path) => {
  expect(returnPath(wanted)).toBe(path);
});
