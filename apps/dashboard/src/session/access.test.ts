import { accessOf, isFresh } from './access.ts';

/** With this `sub`, base64url differs from base64. */
const sub = '??>~~';
const payload = btoa(JSON.stringify({ sub })).replaceAll('+', '-').replaceAll('/', '_');

test('reads the tenant and the end of a token', () => {
  const access = accessOf({ accessToken: `head.${payload}.signature`, expiresIn: 900 }, 1_000);
  expect(access).toEqual({ token: `head.${payload}.signature`, expiresAt: 901_000, tenantId: sub });
});

test('a token is renewed before it ends', () => {
  const access = accessOf({ accessToken: `head.${payload}.signature`, expiresIn: 900 }, 0);
  expect(isFresh(access, 0)).toBe(true);
  expect(isFresh(access, 869_999)).toBe(true);
  expect(isFresh(access, 870_000)).toBe(false);
  expect(isFresh(null, 0)).toBe(false);
});
