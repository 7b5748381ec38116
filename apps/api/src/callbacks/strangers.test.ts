import { Problem } from '../problems/problem.ts';
import { createStrangers, type Source, type Strangers } from './strangers.ts';

const provider: Source = { address: '192.0.2.1', accountId: 'a', isLarge: false };
const large: Source = { ...provider, isLarge: true };

function isRefused(strangers: Strangers, source: Source): boolean {
  try {
    strangers.demandTurn(source);
    return false;
  } catch (error) {
    return error instanceof Problem && error.code === 'rate-limited';
  }
}

/** Forges callbacks until one is refused, and counts the others. */
function forge(strangers: Strangers, source: Source): number {
  let count = 0;
  for (; !isRefused(strangers, source); count += 1) strangers.suspect(source);
  return count;
}

test('a network is refused after 1,000 small forgeries in a second, and after 20 large ones', () => {
  expect(
    forge(
      createStrangers(() => 0),
      provider,
    ),
  ).toBe(1_000);
  expect(
    forge(
      createStrangers(() => 0),
      large,
    ),
  ).toBe(20);
});

test('large forgeries do not keep small callbacks of the same network out', () => {
  const strangers = createStrangers(() => 0);
  forge(strangers, large);
  expect(isRefused(strangers, provider)).toBe(false);
});

test('a second later the network is accepted again', () => {
  let now = 0;
  const strangers = createStrangers(() => now);
  forge(strangers, provider);
  now = 999;
  expect(isRefused(strangers, provider)).toBe(true);
  now = 1_000;
  expect(isRefused(strangers, provider)).toBe(false);
});

test.each([
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.1', '::ffff:192.0.2.1', true],
  ['2001:db8:1:1::1', '2001:db8:1:2::1', true],
  ['2001:db8:1:1::1', '2001:db8:2:1::1', false],
])('what is forged from %s keeps %s out: %p', (forger, other, refused) => {
  const strangers = createStrangers(() => 0);
  forge(strangers, { ...provider, address: forger });
  expect(isRefused(strangers, { ...provider, address: other })).toBe(refused);
});

test('a network with an authentic callback stays accepted for its account despite forgeries', () => {
  const strangers = createStrangers(() => 0);
  strangers.trust(provider, 'tenant');
  for (let count = 0; count < 2_000; count += 1) strangers.suspect(provider);
  expect(isRefused(strangers, provider)).toBe(false);
  expect(isRefused(strangers, { ...provider, accountId: 'another' })).toBe(true);
});

test('a tenant with callbacks from everywhere makes no other network a stranger again', () => {
  const strangers = createStrangers(() => 0);
  strangers.trust(provider, 'tenant');
  for (let network = 0; network < 30_000; network += 1) {
    const address = `10.${network >> 16}.${(network >> 8) & 255}.${network & 255}`;
    strangers.trust({ ...provider, address, accountId: 'b' }, 'storm');
  }
  expect([strangers.tenantOf(provider), strangers.tenantOf({ ...provider, accountId: 'b' })]).toEqual([
    'tenant',
    null,
  ]);
});
