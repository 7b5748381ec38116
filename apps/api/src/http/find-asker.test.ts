import type { IncomingMessage } from 'node:http';
import { askerOf } from './find-asker.ts';

/** Whom a request without a credential from this address counts for. */
function askedFrom(remoteAddress: string): ReturnType<typeof askerOf> {
  const request = { headers: {}, socket: { remoteAddress } } as unknown as IncomingMessage;
  const deps = { settings: { trustedProxies: 0 } } as Parameters<typeof askerOf>[3];
  return askerOf({ work: 'sign-in' }, request, {}, deps);
}

const groupOf = (address: string): string => askedFrom(address).group;

test('all networks of an IPv6 site are one group, and each IPv4 address is one', () => {
  expect(groupOf('2001:db8:1:2::1')).toBe(groupOf('2001:db8:1:fedc::1'));
  expect(groupOf('2001:db8:1::1')).not.toBe(groupOf('2001:db8:2::1'));
  expect(groupOf('192.0.2.1')).not.toBe(groupOf('192.0.2.2'));
});

test('the clients of a site take turns', () => {
  const [one, other] = [askedFrom('2001:db8:1:2::1'), askedFrom('2001:db8:1:3::1')];
  expect(one.subgroup).not.toBe(other.subgroup);
  expect(askedFrom('2001:db8:1:2::9')).toEqual(one);
});
