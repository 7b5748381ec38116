import { addressesIn, limitFaults, limitInputs, limitsOf, noLimits } from './credential-limits.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

test('a credential without limits names none', () => {
  expect(limitsOf(noLimits, now)).toEqual({});
  expect(limitFaults(noLimits)).toEqual({});
});

test('an end is a number of days from now, or the time that was typed', () => {
  expect(limitsOf({ ...noLimits, ends: '30' }, now)).toEqual({ expiresAt: '2026-03-31T12:00:00.000Z' });
  const typed = { ...noLimits, ends: 'at', expiresAt: '2026-04-05 18:30' };
  expect(limitsOf(typed, now)).toEqual({ expiresAt: new Date(2026, 3, 5, 18, 30).toISOString() });
  expect(limitFaults(typed)).toEqual({});
});

test('a time that is none is refused, but only if it is used', () => {
  const typed = { ...noLimits, expiresAt: '31st of May' };
  expect(limitFaults(typed)).toEqual({});
  expect(Object.keys(limitFaults({ ...typed, ends: 'at' }))).toEqual(['expiresAt']);
});

test('addresses keep their places, and an empty line is refused at its own', () => {
  const values = { ...noLimits, allowedIps: [' 203.0.113.0/24 ', ' ', '2001:db8::1'] };
  expect(Object.keys(limitFaults(values))).toEqual(['allowedIps.1']);
  expect(limitsOf(values, now).allowedIps).toEqual(['203.0.113.0/24', '', '2001:db8::1']);
});

test('each address that the api takes has an input for its error', () => {
  expect(limitInputs).toEqual(
    expect.arrayContaining(['expiresAt', 'allowedIps', 'allowedIps.0', 'allowedIps.19']),
  );
});

test('a pasted list becomes its addresses', () => {
  expect(addressesIn(' 203.0.113.7, 203.0.113.8\n2001:db8::/32; ')).toEqual([
    '203.0.113.7',
    '203.0.113.8',
    '2001:db8::/32',
  ]);
  expect(addressesIn('203.0.113.7')).toEqual(['203.0.113.7']);
});
