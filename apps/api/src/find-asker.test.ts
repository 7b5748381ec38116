import type { IncomingMessage } from 'node:http';
import { createKnownBearers } from './auth/known-bearers.ts';
import { createStrangers } from './callbacks/strangers.ts';
import { askerOf } from './find-asker.ts';

const accountId = '01912d68-783e-7a52-9d3a-6c4f2b1e8a90';
const callback = { credential: 'none', work: 'callback' } as const;
const list = { credential: 'bearer', work: 'list' } as const;

function requestFrom(remoteAddress: string, authorization?: string): IncomingMessage {
  return { headers: { authorization }, socket: { remoteAddress } } as unknown as IncomingMessage;
}

function known() {
  const keys = { remembered: () => null, tenantOf: () => null };
  const deps = {
    bearers: createKnownBearers(),
    strangers: createStrangers(),
    keys,
    settings: { trustedProxies: 0 },
  };
  return deps as typeof deps & Parameters<typeof askerOf>[3];
}

test('callbacks for accounts that may be made up share what their network gets', () => {
  const deps = known();
  const parties = Array.from({ length: 100 }, () => {
    const asker = askerOf(callback, requestFrom('192.0.2.1'), { accountId: crypto.randomUUID() }, deps);
    return asker.party;
  });
  expect(new Set(parties)).toEqual(new Set(['192.0.2.1']));
});

test('an authentic callback of a network counts for its tenant from then on, of others not', () => {
  const deps = known();
  deps.strangers.trust({ address: '192.0.2.1', accountId, isLarge: false }, 'tenant');
  const partyOf = (address: string, id = accountId) =>
    askerOf(callback, requestFrom(address), { accountId: id }, deps).party;
  expect(partyOf('192.0.2.1')).toBe('tenant');
  expect(partyOf('192.0.2.1', accountId.toUpperCase())).toBe('tenant');
  expect(partyOf('192.0.2.2')).toBe('192.0.2.2');
});

test('a token counts for its tenant from wherever it comes, one that was never checked for its network', () => {
  const deps = known();
  deps.bearers.remember('Bearer good', 'tenant');
  const partyOf = (authorization: string, address: string) =>
    askerOf(list, requestFrom(address, authorization), { accountId }, deps).party;
  expect(partyOf('Bearer good', '192.0.2.1')).toBe('tenant');
  expect(partyOf('Bearer good', '192.0.2.2')).toBe('tenant');
  expect(partyOf('Bearer made up', '192.0.2.2')).toBe('192.0.2.2');
});

/** Whom a request without a credential from this address counts for. */
const strangerFrom = (address: string) =>
  askerOf({ credential: 'none', work: 'sign-in' }, requestFrom(address), {}, known());

test('all networks of an IPv6 site are one party, and each IPv4 address is one', () => {
  const partyOf = (address: string) => strangerFrom(address).party;
  expect(partyOf('2001:db8:1:2::1')).toBe(partyOf('2001:db8:1:fedc::1'));
  expect(partyOf('2001:db8:1::1')).not.toBe(partyOf('2001:db8:2::1'));
  expect(partyOf('192.0.2.1')).not.toBe(partyOf('192.0.2.2'));
});

test('the clients of a site take turns', () => {
  const [one, other] = [strangerFrom('2001:db8:1:2::1'), strangerFrom('2001:db8:1:3::1')];
  expect(one.subparty).not.toBe(other.subparty);
  expect(strangerFrom('2001:db8:1:2::9')).toEqual(one);
});
