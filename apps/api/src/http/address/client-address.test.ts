import type { IncomingMessage } from 'node:http';
import { clientAddress } from './client-address.ts';

const seen = (forwarded: string | undefined, trustedProxies: number) =>
  clientAddress(
    {
      headers: { 'x-forwarded-for': forwarded },
      socket: { remoteAddress: '10.0.0.1' },
    } as unknown as IncomingMessage,
    trustedProxies,
  );

test.each([
  ['1.1.1.1, 2.2.2.2', 0, '10.0.0.1'],
  ['1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
  ['1.1.1.1,2.2.2.2', 2, '1.1.1.1'],
  ['1.1.1.1', 3, '1.1.1.1'],
  [undefined, 1, '10.0.0.1'],
  ['', 1, '10.0.0.1'],
  ['1.1.1.1, 9.9.9.9:1234', 1, '9.9.9.9'],
  ['[2001:db8::1]:443', 1, '2001:db8::1'],
  ['[2001:db8::1]', 1, '2001:db8::1'],
  ['2001:db8::1', 1, '2001:db8::1'],
  ['2001:db8::1:443', 1, '2001:db8::1:443'],
  ['9.9.9:1234', 1, '9.9.9:1234'],
  ['[9.9.9.9]:1234', 1, '[9.9.9.9]:1234'],
  ['unknown:1234', 1, 'unknown:1234'],
])('of %p with %i trusted proxies it is %s', (forwarded, trustedProxies, address) => {
  expect(seen(forwarded, trustedProxies)).toBe(address);
});
