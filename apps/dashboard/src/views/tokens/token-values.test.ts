import { newToken, tokenBody, tokenFaults } from './token-values.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

test('a token needs a name and a scope', () => {
  expect(Object.keys(tokenFaults(newToken))).toEqual(['name', 'scopes']);
  expect(tokenFaults({ ...newToken, name: 'ci', scopes: ['messages:read'] })).toEqual({});
});

test('the body has the limits that were chosen, and no other', () => {
  const values = { ...newToken, name: 'ci', scopes: ['messages:read' as const] };
  expect(tokenBody(values, now)).toEqual({ name: 'ci', scopes: ['messages:read'] });
  expect(tokenBody({ ...values, ends: '30', allowedIps: ['2001:db8::/32'] }, now)).toEqual({
    name: 'ci',
    scopes: ['messages:read'],
    expiresAt: '2026-03-31T12:00:00.000Z',
    allowedIps: ['2001:db8::/32'],
  });
});
