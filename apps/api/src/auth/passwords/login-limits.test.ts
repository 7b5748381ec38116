import type { RateStore } from '../../http/rate-store.ts';
import { countConfirmation, countLogin, countRegistration, createLoginLimits } from './login-limits.ts';

/** Counts in memory. Its minute never ends. */
function countingStore(): RateStore {
  return {
    counter() {
      const totals = new Map<string, number>();
      return {
        async add(key, points) {
          const total = (totals.get(key) ?? 0) + points;
          totals.set(key, total);
          return { total, resetMs: 1_500 };
        },
      };
    },
    close: () => undefined,
  };
}

const limitsOf = (perAccount: number, perAddress: number) =>
  createLoginLimits(countingStore(), {
    loginAttemptsPerMinute: perAccount,
    loginAttemptsPerAddress: perAddress,
  });
const refused = { code: 'rate-limited', options: { retryAfterSeconds: 2 } };

test('an account has one limit for all addresses and all spellings of its email', async () => {
  const limits = limitsOf(2, 9);
  await countLogin(limits, 'a@example.com', '192.0.2.1', null);
  await countLogin(limits, 'A@example.com', '192.0.2.2', null);
  await expect(countLogin(limits, 'a@example.com', '192.0.2.3', null)).rejects.toMatchObject(refused);
  await countLogin(limits, 'b@example.com', '192.0.2.3', null);
});

test.each([
  ['ida@example.com', 'İDA@example.com'],
  ['οδοσ@example.com', 'ΟΔΟΣ@example.com'],
  ['kim@example.com', '\u212aim@example.com'],
])('%s has no further tries as %s, by which Postgres finds the same account', async (email, other) => {
  const limits = limitsOf(1, 9);
  await countLogin(limits, email, '192.0.2.1', null);
  await expect(countLogin(limits, other, '192.0.2.2', null)).rejects.toMatchObject(refused);
});

test('tries above the limit of an address do not count against the account', async () => {
  const limits = limitsOf(2, 1);
  await countLogin(limits, 'a@example.com', '192.0.2.1', null);
  for (let count = 0; count < 5; count += 1)
    await expect(countLogin(limits, 'a@example.com', '192.0.2.1', null)).rejects.toMatchObject(refused);
  await countLogin(limits, 'a@example.com', '192.0.2.2', null);
});

test('a /64 of IPv6 is one address', async () => {
  const limits = limitsOf(9, 1);
  await countLogin(limits, 'a@example.com', '2001:db8::1', null);
  await expect(countLogin(limits, 'b@example.com', '2001:db8::2:1', null)).rejects.toMatchObject(refused);
  await countLogin(limits, 'b@example.com', '2001:db8:0:1::1', null);
});

test('registrations of an address are limited apart from its logins', async () => {
  const limits = limitsOf(9, 1);
  await countRegistration(limits, '192.0.2.1');
  await expect(countRegistration(limits, '192.0.2.1')).rejects.toMatchObject(refused);
  await countRegistration(limits, '192.0.2.2');
  await countLogin(limits, 'a@example.com', '192.0.2.1', null);
});

test('logins use none of the tries a tenant has within its session', async () => {
  const limits = limitsOf(1, 9);
  await countLogin(limits, 'a@example.com', '192.0.2.1', null);
  await expect(countLogin(limits, 'a@example.com', '192.0.2.1', null)).rejects.toMatchObject(refused);
  await countConfirmation(limits, 'tenant');
  await expect(countConfirmation(limits, 'tenant')).rejects.toMatchObject(refused);
  await countConfirmation(limits, 'another');
});

test('a known device has its own tries, and only those, while strangers use up the tries of the account', async () => {
  const limits = limitsOf(1, 9);
  await countLogin(limits, 'a@example.com', '192.0.2.1', null);
  await expect(countLogin(limits, 'a@example.com', '192.0.2.1', null)).rejects.toMatchObject(refused);
  await countLogin(limits, 'a@example.com', '192.0.2.2', 'device');
  await expect(countLogin(limits, 'a@example.com', '192.0.2.2', 'device')).rejects.toMatchObject(refused);
});
